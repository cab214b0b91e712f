-- search_passages_texts.sql: what those of the rows are searched by that are not too long, in characters; the shortest.
select passages.id, passages.context, passages.body, passages.parts
from json_each(:rows) as found
cross join passages on passages.id = found.value
where length(passages.body) <= :longest
order by length(passages.body)
limit :limit;
