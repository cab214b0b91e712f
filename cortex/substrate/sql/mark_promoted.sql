-- mark_promoted.sql: their facts are what their content says now.
update records set promoted_hash = content_hash
where source_id = :source_id and promoted_hash is not content_hash
