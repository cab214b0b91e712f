-- delete_stale_facts.sql: what archive_stale_facts.sql has put away.
delete from facts
where record_id in (select id from temp.due) and path = :path and not exists (
    select 1 from temp.arriving a where a.handle = facts.handle
)
