-- unverified_terms.sql: in how many unverified passages each of these stems stands.
select t.value, count(distinct w.doc)
from json_each(:terms) t
cross join passage_words w on w.term = t.value
cross join passages p on p.id = w.doc
cross join records r on r.id = p.record_id
where r.vouched is not null and (r.vouched = 0 or p.end_ > r.vouched)
group by t.value
