-- prune_confidence.sql: what a run that nobody can undo any more kept of the confidence before it.
delete from confidence_before where run_id in (select run_id from temp.forgotten)
