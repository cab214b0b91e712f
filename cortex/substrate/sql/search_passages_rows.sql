-- search_passages_rows.sql: the first passages an expression matches.
select rowid from records_fts where records_fts match :match order by rowid limit :limit;
