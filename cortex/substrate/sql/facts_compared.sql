-- facts_compared.sql: what a comparison needs of some facts, in their order.
select f.id, f.statement, f.excerpt, r.type, r.author, r.thread, f.valid_until is null
from json_each(:ids) asked
cross join facts f on f.id = asked.value
cross join records r on r.id = f.record_id
order by asked.key
