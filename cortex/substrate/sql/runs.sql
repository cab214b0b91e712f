-- name: end_run
-- Keep what a run did; that another took it back, or the archive forgot a part of it, stays noted.
update runs set
    status = :status, finished_at = :now,
    report = json_patch(
        :report, json_object('undone_by', report -> '$.undone_by', 'forgotten', report -> '$.forgotten')
    )
where id = :id;

-- name: unfinished_runs
-- Sources whose last index run has not ended, and when it began.
select s.id, r.started_at
from sources s
join runs r on r.id = (select max(id) from runs where source_id = s.id and command in ('index', 'record', 'deliver'))
where r.status = 'running'
order by s.name;

-- name: undoable
-- What tells whether a run can be undone; since when, and by whom, it runs, where it has not told its end.
select
    command, source_id, report ->> '$.undone_by' as undone_by, report ->> '$.forgotten' as forgotten,
    iif(status = 'running' or report ->> '$.by' is not null, started_at, null) as since,
    coalesce(report ->> '$.by', '') as by
from runs where id = :run_id;

-- name: claim_standing
-- Whether the compaction of a day, or of a later one, was done since it was claimed, still runs or is a task of each source.
select exists (
    select 1 from tasks t
    where t.key glob 'night *' and t.key >= 'night ' || :day and t.state not in ('dead', 'cancelled')
) or exists (
    select 1 from compactions c
    where c.day >= :day and c.claimed_at between :just_now and :latest
      and c.claimed_by not in (select value from json_each(:ended))
) or exists (
    select 1 from compactions c
    cross join runs r on r.command = 'compact' and r.started_at between c.claimed_at and :latest
    where c.day >= :day
      and (
          r.status = 'running' and r.started_at >= :lately
          and c.claimed_by not in (select value from json_each(:ended))
          or r.status = 'done'
          and (select count(*) from json_each(r.report, '$.jobs') j where j.value ->> 'job' <> 'contradictions') = :jobs
          and not exists (select 1 from sources s where s.id <> r.source_id and s.created_at <= r.started_at)
      )
);

-- name: last_compaction
-- When all jobs were last done to every source there was, in one run or in one for each.
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
);

-- name: fail_running
-- Runs of a command that never ended have failed.
update runs set status = 'failed', finished_at = :now
where source_id is :source_id and command = :command and status = 'running';
