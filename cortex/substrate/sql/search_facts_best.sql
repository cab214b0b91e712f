-- search_facts_best.sql: the facts an expression matches best.
select rowid from facts_fts where facts_fts match :match order by bm25(facts_fts, :w0, :w1) limit :limit;
