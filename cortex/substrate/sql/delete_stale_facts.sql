-- delete_stale_facts.sql: what archive_stale_facts.sql has put away.
delete from facts
where record_id in (select id from temp.due) and handle not in (select handle from temp.arriving)
