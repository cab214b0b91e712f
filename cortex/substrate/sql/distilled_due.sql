-- distilled_due.sql: the records of these jobs that still say what was distilled, where nobody else leased the job since.
insert or ignore into temp.due (id)
select r.id
from json_each(:jobs) asked
cross join facts_queue q on q.id = json_extract(asked.value, '$[0]')
cross join records r on r.id = q.record_id
where q.state = 'leased' and q.fence = json_extract(asked.value, '$[1]')
  and q.content_hash = r.content_hash and r.gone_at is null
