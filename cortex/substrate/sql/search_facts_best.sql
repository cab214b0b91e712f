-- search_facts_best.sql: the facts an expression matches best, whether they may be read or not.
select rowid, -bm25(facts_fts, :w0, :w1) as score
from facts_fts where facts_fts match :match order by score desc, rowid limit :limit;
