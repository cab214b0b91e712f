-- lease_jobs.sql: the next jobs of a path belong to one worker for a while; the fence tells this lease from any other.
update facts_queue set state = 'leased', lease_owner = :owner, lease_until = :until, fence = fence + 1,
    closes = exists (select 1 from closings c where c.id = facts_queue.record_id)
where id in (
    select q.id
    from facts_queue q
    cross join records r on r.id = q.record_id
    where q.source_id = :source_id and q.path = :path and q.state = 'pending'
      and r.gone_at is null and r.content_hash = q.content_hash
    order by q.priority desc, q.id
    limit :limit
)
returning id
