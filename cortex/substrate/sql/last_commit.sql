-- last_commit.sql: when the newest commit was made; null where there is none.
select max(created_at) from records
where source_id in (select value from json_each(:sources)) and type = 'commit' and gone_at is null
