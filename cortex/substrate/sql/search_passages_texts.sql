-- search_passages_texts.sql: what a passage's score is made of, for those of the rows that may be shown.
select passages.id, lengths.sz, passages.context, passages.body, passages.parts
from json_each(:rows) as wanted
cross join passages on passages.id = wanted.value
cross join records_fts_docsize as lengths on lengths.id = passages.id
cross join records on records.id = passages.record_id
where records.gone_at is null
    and (:sources is null or passages.source_id in (select value from json_each(:sources)));
