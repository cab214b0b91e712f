-- compactions.sql: every compaction, the latest first; those that had to do with some sources, by id and name, or all.
select c.id as run, s.name as source, c.started_at, c.finished_at, c.status, c.report
from runs c
left join sources s on s.id = c.source_id
where c.command = 'compact' and (
    :sources is null
    or c.source_id in (select key from json_each(:sources))
    or c.source_id is null and exists (
        select 1 from json_each(c.report, '$.jobs') job, json_each(job.value, '$.by_source') of_source
        where of_source.key in (select value from json_each(:sources))
    )
)
order by c.id desc
limit :limit
