-- name: sources_begun
-- Those of the sources that had a record at :as_of, or have none with a date.
-- What no date tells of was always known, but not before anything else of its project.
select asked.value from json_each(:sources) asked
where exists (
    select 1 from records r
    where r.source_id = asked.value and coalesce(r.created_at, r.merged_at, r.closed_at) <= :as_of
) or not exists (
    select 1 from records r
    where r.source_id = asked.value and coalesce(r.created_at, r.merged_at, r.closed_at) is not null
);

-- name: find_renamed
-- Each handle of a source with what it becomes.
insert or ignore into temp.renaming (was, becomes)
select f.handle, handle_of(:name, r.ref, f.statement)
from facts f cross join records r on r.id = f.record_id
where f.source_id = :source_id
union
select handle, handle_of(:name, record_ref, statement) from facts_archive where source_id = :source_id
union
select handle, handle_of(:name, record_ref, statement) from facts_revived where source_id = :source_id;

-- name: rename_in_tokens
-- Tokens that reach a source still do once it is called otherwise.
update tokens set sources = (select json_group_array(iif(value = :was, :name, value)) from json_each(tokens.sources))
where sources is not null and exists (select 1 from json_each(tokens.sources) where value = :was);

-- name: status_of_sources
-- Each source and its last run.
select s.id, s.name, s.location, s.federated, iif(r.id is null, null, json_object(
    'id', r.id, 'command', r.command, 'started_at', r.started_at, 'finished_at', r.finished_at, 'status', r.status,
    'report', json(r.report), 'skipped', (select count(*) from skips k where k.run_id = r.id and k.source_id = s.id)
))
from sources s
left join runs r on r.id = (select max(id) from runs where source_id = s.id)
order by s.name;

-- name: count_rows
-- Per source, records by type, records gone, facts by kind, facts of records gone by kind, jobs by state, facts archived by job.
select source_id, iif(gone_at is null, 'records', 'gone') as what, type as name, count(*) as number
from records
where source_id in (select value from json_each(:sources))
group by source_id, gone_at is null, type
union all
select source_id, iif(record_id in (
    select id from records where source_id in (select value from json_each(:sources)) and gone_at is not null
), 'facts_gone', 'facts') as what, kind, count(*)
from facts
where source_id in (select value from json_each(:sources))
group by source_id, what, kind
union all
select source_id, 'queue', state, count(*) from facts_queue
where source_id in (select value from json_each(:sources))
group by source_id, state
union all
select source_id, 'archived', job, count(*) from facts_archive
where source_id in (select value from json_each(:sources))
group by source_id, job
order by 1, 2, 4 desc, 3;

-- name: tokens
-- Every token, or the one in force that a caller sent.
select name, grants, sources, created_at, revoked_at
from tokens
where :digest is null or (digest = :digest and revoked_at is null)
order by id;
