-- abandon_jobs.sql: what a worker holds that is no more is due again.
update facts_queue set state = 'pending', abandoned = abandoned + 1, lease_owner = null, lease_until = null
where source_id = :source_id and path = :path and state = 'leased' and lease_owner = :owner
