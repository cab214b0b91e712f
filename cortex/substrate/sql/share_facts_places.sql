-- share_facts_places.sql: how often a term stands in each of these facts, by the weights of the columns.
select doc, sum(case col when 'statement' then :w0 else :w1 end)
from temp.facts_places
where term = :term and doc in (select value from json_each(:rows))
group by doc;
