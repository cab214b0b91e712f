-- finish_job.sql: done, with what it made; a lease that another has followed finishes nothing.
update facts_queue set
    state = 'done', finished_at = :now, attempts = attempts + 1, distiller = :distiller, rank = :rank,
    error = null, not_before = null, lease_owner = null, lease_until = null, abandoned = 0,
    produced = (select count(*) from facts f where f.record_id = facts_queue.record_id and f.path = facts_queue.path)
where id = :id and fence = :fence and state = 'leased'
