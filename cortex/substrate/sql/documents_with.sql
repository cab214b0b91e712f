-- documents_with.sql: passages of documents that hold what :match says, in the order of their records.
select passages.id
from records_fts
join passages on passages.id = records_fts.rowid
join records on records.id = passages.record_id
where records_fts match :match
    and records.type in ('doc', 'directive')
    and records.gone_at is null
    and passages.source_id in (select value from json_each(:sources))
order by bm25(records_fts, 2.0, 1.0, 0.4), passages.id
limit :limit;
