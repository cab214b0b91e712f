-- unverified_facts.sql: those of some facts that nobody of the project stands behind.
select f.id
from json_each(:ids) c
cross join facts f on f.id = c.value
cross join records r on r.id = f.record_id
where f.end_ > r.vouched or r.vouched = 0
