-- fail_job.sql: failed, until it is due again or for good.
update facts_queue set
    state = :state, attempts = attempts + 1, error = :error, not_before = :not_before, distiller = :distiller,
    rank = :rank, finished_at = iif(:state = 'dead', :now, null), lease_owner = null, lease_until = null, abandoned = 0
where id = :id and fence = :fence and state = 'leased'
