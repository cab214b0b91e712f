-- share_passages_places.sql: how often a term stands in each of these passages, by the weights of the columns.
select doc, sum(case col when 'context' then :w0 when 'body' then :w1 else :w2 end)
from temp.passages_places
where term = :term and doc in (select value from json_each(:rows))
group by doc;
