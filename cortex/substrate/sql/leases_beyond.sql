-- leases_beyond.sql: who holds jobs of a path for longer than any lease lasts, until when, and how many.
select lease_owner, max(lease_until), count(*) from facts_queue
where source_id = :source_id and path = :path and state = 'leased' and lease_until > :latest and lease_owner is not :owner
group by lease_owner
