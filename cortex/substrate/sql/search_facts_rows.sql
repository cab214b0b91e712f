-- search_facts_rows.sql: the first facts an expression matches.
select rowid from facts_fts where facts_fts match :match order by rowid limit :limit;
