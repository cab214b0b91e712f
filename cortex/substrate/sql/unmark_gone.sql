-- unmark_gone.sql: a record that is gone is promoted again when it returns.
delete from promotions
where record_id in (select id from records where source_id = :source_id and gone_at is not null)
