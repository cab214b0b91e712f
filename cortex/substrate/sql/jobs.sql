-- jobs.sql: jobs in these states, what needs somebody first.
select
    s.name, r.ref, q.path, q.state, q.attempts, q.error, q.distiller, q.enqueued_at, q.not_before, q.lease_owner,
    q.lease_until
from facts_queue q
join sources s on s.id = q.source_id
join records r on r.id = q.record_id
where q.state in (select value from json_each(:states))
  and (:sources is null or s.name in (select value from json_each(:sources)))
order by instr('dead failed leased pending done', q.state), q.priority desc, q.id
limit :limit
