-- search_facts_texts.sql: what a fact's score is made of, for those of the rows that may be shown.
select facts.id, lengths.sz, facts.statement, facts.parts
from json_each(:rows) as wanted
cross join facts on facts.id = wanted.value
cross join facts_fts_docsize as lengths on lengths.id = facts.id
cross join records on records.id = facts.record_id
where records.gone_at is null
    and (:sources is null or facts.source_id in (select value from json_each(:sources)));
