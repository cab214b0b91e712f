-- forget_restored.sql: the archive rows of facts that stand again.
delete from facts_archive
where run_id = :run_id and fact_id is not null and exists (select 1 from facts f where f.handle = facts_archive.handle)
