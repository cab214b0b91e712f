-- search_facts_texts.sql: what those of the rows are searched by that are not too long, in characters; the shortest.
select facts.id, facts.statement, facts.parts
from json_each(:rows) as found
cross join facts on facts.id = found.value
where length(facts.statement) <= :longest
order by length(facts.statement)
limit :limit;
