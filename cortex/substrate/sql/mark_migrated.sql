-- mark_migrated.sql: note that all notes and outcomes of a source have files.
insert or ignore into cursors (source_id, connector, value) select id, 'remembered', 'read' from sources where name = :source
