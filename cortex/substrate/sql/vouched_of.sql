-- vouched_of.sql: of how many characters of some records, from the start, somebody of the project stands behind; null is all.
select r.id, r.vouched
from json_each(:ids) c
cross join records r on r.id = c.value
