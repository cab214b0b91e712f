-- last_compaction.sql: when all jobs were last done to every source there was, in one run or in one for each.
with whole as materialized (
    select r.source_id, r.started_at, r.finished_at
    from runs r
    where r.command = 'compact' and r.status = 'done' and r.finished_at <= :latest
      and (select count(*) from json_each(r.report, '$.jobs') j where j.value ->> 'job' <> 'contradictions') = :jobs
), each as (
    select (select max(w.finished_at) from whole w where w.source_id is null or w.source_id = s.id) as finished_at
    from sources s
)
select max(finished_at) from (
    select w.finished_at from whole w
    where not exists (select 1 from sources s where s.id <> w.source_id and s.created_at <= w.started_at)
    union all
    select min(finished_at) from each having count(*) = count(finished_at)
)
