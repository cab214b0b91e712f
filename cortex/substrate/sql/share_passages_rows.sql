-- share_passages_rows.sql: the passages of these sources that an expression matches, with their sizes; none whose record is gone.
select passages.id, size.sz
from records_fts
join passages on passages.id = records_fts.rowid
join records on records.id = passages.record_id
join records_fts_docsize as size on size.id = passages.id
where records_fts match :match
    and passages.source_id in (select value from json_each(:sources))
    and records.gone_at is null;
