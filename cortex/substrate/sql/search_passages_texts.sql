-- search_passages_texts.sql: length and text of those of the rows that are not too long, in characters; the shortest.
select passages.id, size.sz, passages.context, passages.body, passages.parts
from json_each(:rows) as found
cross join passages on passages.id = found.value
cross join records_fts_docsize as size on size.id = passages.id
where length(passages.body) <= :longest
order by length(passages.body)
limit :limit;
