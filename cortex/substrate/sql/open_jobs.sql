-- open_jobs.sql: how many jobs of a path are not through; a record that is gone, or says something else, has none.
select count(*)
from facts_queue q
cross join records r on r.id = q.record_id
where q.source_id = :source_id and q.path = :path and q.state in ('pending', 'leased', 'failed')
  and r.gone_at is null and r.content_hash = q.content_hash
