-- unverified_passages.sql: in how many unverified passages a stem stands.
select count(*)
from (select distinct doc from passage_words where term = :stem) w
cross join passages p on p.id = w.doc
cross join records r on r.id = p.record_id
where r.vouched is not null and (r.vouched = 0 or p.end_ > r.vouched)
