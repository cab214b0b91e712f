-- is_migrated.sql: whether all notes and outcomes of a source have files.
select 1 from cursors c cross join sources s on s.id = c.source_id where s.name = :source and c.connector = 'remembered'
