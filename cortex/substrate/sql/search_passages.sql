-- search_passages.sql: passages that hold any of the terms, best first; all of them are scored.
select passages.id, -bm25(records_fts, :w0, :w1, :w2) as score
from records_fts
cross join passages on passages.id = records_fts.rowid
cross join records on records.id = passages.record_id
where records_fts match :match
    and records.gone_at is null
order by score desc, passages.id
limit :limit;
