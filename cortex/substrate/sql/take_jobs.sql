-- take_jobs.sql: jobs that were leased just now, with the text they are about.
select
    q.id, q.fence, q.attempts, q.abandoned,
    r.id, r.type, r.ref, r.title, r.body, r.author, r.state, r.created_at, r.association, r.path,
    r.thread <> '' and r.vouched is null and exists (
        select 1 from records t
        where t.source_id = r.source_id and t.ref = r.thread and t.merged_at is null and t.closed_at is not null
          and (t.closed_by in ('', r.author)) and abs(unixepoch(r.created_at) - unixepoch(t.closed_at)) <= 60
    ) as closes
from json_each(:jobs) asked
cross join facts_queue q on q.id = asked.value
cross join records r on r.id = q.record_id
order by q.priority desc, q.id
