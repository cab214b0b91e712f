-- search_passages_best.sql: the passages an expression matches best, whether they may be read or not.
select rowid, -bm25(records_fts, :w0, :w1, :w2) as score
from records_fts where records_fts match :match order by score desc, rowid limit :limit;
