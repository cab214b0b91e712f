-- lease_owners.sql: who holds jobs of a path.
select distinct lease_owner from facts_queue where source_id = :source_id and path = :path and state = 'leased'
