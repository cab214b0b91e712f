-- release_jobs.sql: a worker gives back what it holds.
update facts_queue set state = 'pending', lease_owner = null, lease_until = null
where source_id = :source_id and path = :path and state = 'leased' and lease_owner = :owner
