-- delete_leaving.sql: what archive_leaving.sql has put away.
delete from facts where id in (select fact_id from temp.leaving)
