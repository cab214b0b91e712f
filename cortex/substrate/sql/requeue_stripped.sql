-- requeue_stripped.sql: jobs whose facts are no longer there, though nothing archived them, are due again.
update facts_queue set state = 'pending', attempts = 0, finished_at = null
where source_id = :source_id and state = 'done' and produced > 0
  and not exists (select 1 from facts f where f.record_id = facts_queue.record_id and f.path = facts_queue.path)
  and not exists (
    select 1 from facts_archive a join records r on r.source_id = a.source_id and r.ref = a.record_ref
    where r.id = facts_queue.record_id and a.job <> 'replaced'
)
