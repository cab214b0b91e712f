-- requeue_closings.sql: texts that close a thread now, or do no more, are read again.
update facts_queue set state = 'pending', attempts = 0, finished_at = null
where source_id = :source_id and path = 'comments' and state = 'done'
  and closes <> exists (select 1 from closings c where c.id = facts_queue.record_id)
  and exists (
    select 1 from records r
    where r.id = facts_queue.record_id and r.content_hash = facts_queue.content_hash and r.gone_at is null
  )
