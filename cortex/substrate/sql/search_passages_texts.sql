-- search_passages_texts.sql: tokens and text of those of the rows that may be read and are not too long, in characters.
select passages.id, size.sz, passages.context, passages.body, passages.parts
from json_each(:rows) as found
cross join passages on passages.id = found.value
cross join records on records.id = passages.record_id
cross join records_fts_docsize as size on size.id = passages.id
where length(passages.body) <= :longest
    and records.gone_at is null
    and (:sources is null or passages.source_id in (select value from json_each(:sources)));
