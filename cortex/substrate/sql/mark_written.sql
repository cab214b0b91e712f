-- mark_written.sql: note that what the brain holds of a source's journal stands in files.
insert or ignore into cursors (source_id, connector, value) select id, 'remembered', 'read' from sources where name = :source
