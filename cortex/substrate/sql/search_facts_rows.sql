-- search_facts_rows.sql: the facts an expression matches, in no order.
select rowid from facts_fts where facts_fts match :match;
