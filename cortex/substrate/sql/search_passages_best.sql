-- search_passages_best.sql: the passages an expression matches best.
select rowid from records_fts where records_fts match :match order by bm25(records_fts, :w0, :w1, :w2) limit :limit;
