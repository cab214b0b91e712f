-- reclaim_jobs.sql: what failed and has waited long enough is due again, and so is what another held beyond its lease, or
-- holds for longer than any lease lasts.
update facts_queue set
    state = 'pending', abandoned = abandoned + (state = 'leased'), lease_owner = null, lease_until = null,
    not_before = null
where source_id = :source_id and path = :path and state in ('failed', 'leased')
  and (iif(state = 'failed', not_before, lease_until) <= :now or (state = 'leased' and lease_until > :latest))
  and lease_owner is not :owner
