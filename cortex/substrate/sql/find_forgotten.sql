-- find_forgotten.sql: compactions that cannot be undone exactly once what is pruned is gone.
insert or ignore into temp.forgotten (run_id)
select a.run_id from temp.pruning p cross join facts_archive a on a.id = p.archive_id where a.fact_id is not null
union
select r.id from runs r
where r.command = 'compact' and r.started_at < :before and r.report ->> '$.forgotten' is null
  and (r.source_id = :source_id or :every and r.source_id is null)
