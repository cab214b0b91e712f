-- search_passages_readable.sql: those of the rows whose record is not gone.
select passages.id
from json_each(:rows) as found
cross join passages on passages.id = found.value
cross join records on records.id = passages.record_id
where records.gone_at is null;
