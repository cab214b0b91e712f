-- prune_archive.sql: what find_pruned.sql has found.
delete from facts_archive where id in (select archive_id from temp.pruning)
