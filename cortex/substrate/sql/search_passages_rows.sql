-- search_passages_rows.sql: the passages an expression matches, in no order.
select rowid from records_fts where records_fts match :match;
