-- claim_standing.sql: whether the compaction of a day, or of a later one, was done since it was claimed or still runs.
select exists (
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
)
