-- prune_revived.sql: what a run that nobody can undo any more brought back.
delete from facts_revived where revived_by in (select run_id from temp.forgotten)
