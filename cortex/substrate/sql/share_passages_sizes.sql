-- share_passages_sizes.sql: how many tokens each of the passages of these sources has, as records_fts keeps it.
select size.sz
from passages
join records_fts_docsize as size on size.id = passages.id
where passages.source_id in (select value from json_each(:sources));
