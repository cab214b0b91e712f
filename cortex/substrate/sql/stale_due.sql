-- stale_due.sql: the records of dead jobs with a fact that they no longer say.
insert or ignore into temp.due (id)
select distinct r.id
from json_each(:jobs) asked
cross join facts_queue q on q.id = asked.value
cross join records r on r.id = q.record_id
cross join facts f on f.record_id = r.id
where f.excerpt is not substr(r.body, f.start + 1, f.end_ - f.start)
