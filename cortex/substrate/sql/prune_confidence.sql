-- prune_confidence.sql: what runs that nobody can undo any more kept of the confidence before them.
delete from confidence_before
where run_id in (select id from runs where command = 'compact' and started_at < :before)
