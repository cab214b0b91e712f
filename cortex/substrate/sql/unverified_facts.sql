-- unverified_facts.sql: those of some facts whose records nobody of the project stands behind.
select f.id
from json_each(:ids) c
cross join facts f on f.id = c.value
cross join unverified u on u.id = f.record_id
