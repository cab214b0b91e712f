-- name: history_of_fact
-- Each time a fact was taken out, and each fact that was merged into it.
select
    a.archived_at as at, iif(a.handle = :handle, 'taken out', 'merged in') as what, a.handle, a.statement,
    a.record_ref as ref, a.job, a.reason, coalesce(a.merged_into, '') as merged_into, a.run_id as run
from facts_archive a
where (a.handle = :handle or a.merged_into = :handle) and a.source_id in (select value from json_each(:sources))
order by a.archived_at, a.id;

-- name: moves_of_record
-- From where to where a record was moved, however often, and when it left each place.
with recursive places (ref) as (
    select :ref
    union
    select iif(l.from_ref = places.ref, l.to_ref, l.from_ref)
    from places
    join links l on l.source_id = :source_id and l.relation = 'moved_to' and l.to_source = ''
        and (l.from_ref = places.ref or l.to_ref = places.ref)
)
select l.from_ref as old, l.to_ref as new, r.gone_at as at
from places
join links l on l.source_id = :source_id and l.from_ref = places.ref and l.relation = 'moved_to'
join records r on r.source_id = l.source_id and r.ref = l.from_ref;

-- name: compactions
-- Every compaction, the latest first; those that had to do with some sources, by id and name, or all.
select c.id as run, s.name as source, c.started_at, c.finished_at, c.status, c.report
from runs c
left join sources s on s.id = c.source_id
where c.command = 'compact' and (
    :sources is null
    or c.source_id in (select value from json_each(:sources))
    or c.source_id is null and exists (
        select 1 from json_each(c.report, '$.jobs') job, json_each(job.value, '$.by_source') of_source
        where of_source.key in (select value from json_each(:names))
    )
)
order by c.id desc
limit :limit;

-- name: handles_within
-- Which of these handles are of facts of some sources, whether they stand or were taken out.
select f.handle from json_each(:handles) asked cross join facts f on f.handle = asked.value
where f.source_id in (select value from json_each(:sources))
union
select a.handle from json_each(:handles) asked cross join facts_archive a on a.handle = asked.value
where a.source_id in (select value from json_each(:sources));
