-- search_facts_texts.sql: length and text of those of the rows that are not too long, in characters; the shortest.
select facts.id, size.sz, facts.statement, facts.parts
from json_each(:rows) as found
cross join facts on facts.id = found.value
cross join facts_fts_docsize as size on size.id = facts.id
where length(facts.statement) <= :longest
order by length(facts.statement)
limit :limit;
