-- next_due.sql: when the next job that failed is due again, and when the next lease ends.
select min(iif(q.state = 'failed', q.not_before, null)), min(iif(q.state = 'leased', q.lease_until, null))
from facts_queue q
cross join records r on r.id = q.record_id
where q.source_id = :source_id and q.path = :path and q.state in ('failed', 'leased')
  and r.gone_at is null and r.content_hash = q.content_hash
