-- threads.sql: the records that these refs of these sources name.
select r.id, r.source_id, r.ref
from json_each(:threads) asked
cross join records r on r.source_id = asked.value ->> 'source' and r.ref = asked.value ->> 'ref'
where r.gone_at is null
