-- take_jobs.sql: the next jobs of a path, with the text they are about.
select q.id, r.id, r.type, r.ref, r.title, r.body, r.author, r.state, r.created_at, r.association, r.path
from facts_queue q join records r on r.id = q.record_id
where q.source_id = :source_id and q.path = :path and q.state = 'pending'
  and r.gone_at is null and r.content_hash = q.content_hash
order by q.priority desc, q.id
limit :limit
