-- unfinished_runs.sql: sources whose last index run has not ended, and when it began.
select s.id, r.started_at
from sources s
join runs r on r.id = (select max(id) from runs where source_id = s.id and command in ('index', 'record', 'deliver'))
where r.status = 'running'
order by s.name
