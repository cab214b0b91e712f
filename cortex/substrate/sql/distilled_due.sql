-- distilled_due.sql: the records of these jobs that still say what was distilled, and whose job nobody else has done.
insert into temp.due (id)
select r.id
from json_each(:jobs) asked
cross join facts_queue q on q.id = asked.value
cross join records r on r.id = q.record_id
where q.state = 'pending' and q.content_hash = r.content_hash and r.gone_at is null
