-- status_of_sources.sql: each source and its last run.
select
    s.id, s.name, s.location, s.federated, r.id as run, r.command, r.started_at, r.finished_at, r.status, r.report,
    (select count(*) from skips k where k.run_id = r.id) as skipped
from sources s
left join runs r on r.id = (select max(id) from runs where source_id = s.id)
order by s.name
