-- compactions.sql: every compaction, the latest first; those of some sources, or all.
select c.id as run, s.name as source, c.started_at, c.finished_at, c.status, c.report
from runs c
left join sources s on s.id = c.source_id
where c.command = 'compact' and (:sources is null or c.source_id in (select value from json_each(:sources)))
order by c.id desc
limit :limit
