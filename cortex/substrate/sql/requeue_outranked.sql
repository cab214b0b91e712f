-- requeue_outranked.sql: jobs that a distiller of a lower rank did, or failed at, are due again.
-- If asked, so are those of any other distiller.
update facts_queue set state = 'pending', attempts = 0, error = null, not_before = null, finished_at = null
where source_id = :source_id and path = :path and state in ('done', 'failed', 'dead')
  and (rank < :rank or (:again and distiller <> :distiller))
