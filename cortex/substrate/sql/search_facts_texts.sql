-- search_facts_texts.sql: tokens and text of those of the rows that may be read and are not too long, in characters.
select facts.id, size.sz, facts.statement, facts.parts
from json_each(:rows) as found
cross join facts on facts.id = found.value
cross join records on records.id = facts.record_id
cross join facts_fts_docsize as size on size.id = facts.id
where length(facts.statement) <= :longest
    and records.gone_at is null
    and (:sources is null or facts.source_id in (select value from json_each(:sources)));
