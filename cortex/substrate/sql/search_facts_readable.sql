-- search_facts_readable.sql: those of the rows whose record is not gone.
select facts.id
from json_each(:rows) as found
cross join facts on facts.id = found.value
cross join records on records.id = facts.record_id
where records.gone_at is null;
