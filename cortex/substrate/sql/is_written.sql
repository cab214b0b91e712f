-- is_written.sql: whether what the brain holds of a source's journal stands in files.
select 1 from cursors c cross join sources s on s.id = c.source_id where s.name = :source and c.connector = 'remembered'
