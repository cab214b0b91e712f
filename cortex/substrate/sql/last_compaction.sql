-- last_compaction.sql: when all jobs were last done to every source there was.
select max(r.finished_at) from runs r
where r.command = 'compact' and r.status = 'done'
  and (select count(*) from json_each(r.report, '$.jobs') j where j.value ->> 'job' <> 'contradictions') = :jobs
  and not exists (select 1 from sources s where s.id <> r.source_id and s.created_at <= r.started_at)
