-- take_jobs.sql: jobs that were leased just now, with the text they are about.
select
    q.id, q.fence, q.attempts, q.abandoned,
    r.id, r.type, r.ref, r.title, r.body, r.author, r.state, r.created_at, r.association, r.path,
    q.closes, r.blocks
from json_each(:jobs) asked
cross join facts_queue q on q.id = asked.value
cross join records r on r.id = q.record_id
order by q.priority desc, q.id
