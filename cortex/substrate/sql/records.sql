-- name: put_record
-- A record as its origin states it now; passages, links and facts follow it.
-- Who closed an issue is told once: what is told of it later, and of the same closing, takes nothing back.
-- A text that changed after somebody took it up is noted; `vouching.vouch_records` says who stands behind what.
insert into records (
    source_id, type, ref, title, body, url, path, line_start, line_end, author, association, state, labels, assignees,
    merged_by, closed_by, thread, created_at, updated_at, closed_at, merged_at, authority, origin, content_hash, blocks, vouched
) values (
    :source_id, :type, :ref, :title, :body, :url, :path, :line_start, :line_end, :author, :association, :state,
    :labels, :assignees, :merged_by, :closed_by, :thread, :created_at, :updated_at, :closed_at, :merged_at,
    :authority, :origin, :content_hash, :blocks,
    iif(:origin <> 'agents' and (
        :type not in ('comment', 'issue', 'pull') or upper(:association) in ('', 'OWNER', 'MEMBER', 'COLLABORATOR')
    ), null, 0)
)
on conflict (source_id, ref) do update set
    type = excluded.type, title = excluded.title, body = excluded.body, blocks = excluded.blocks, url = excluded.url, path = excluded.path,
    line_start = excluded.line_start, line_end = excluded.line_end, author = excluded.author,
    association = excluded.association, state = excluded.state, labels = excluded.labels,
    assignees = excluded.assignees, merged_by = excluded.merged_by,
    closed_by = iif(excluded.closed_by = '' and records.closed_at = excluded.closed_at, records.closed_by, excluded.closed_by),
    thread = excluded.thread, created_at = excluded.created_at, updated_at = excluded.updated_at,
    closed_at = excluded.closed_at, merged_at = excluded.merged_at, authority = excluded.authority,
    origin = excluded.origin, content_hash = excluded.content_hash, gone_at = null, vouched = excluded.vouched,
    edited_at = iif(
        records.origin = excluded.origin and records.body <> excluded.body
            and (records.closed_at = excluded.closed_at or records.merged_at = excluded.merged_at or records.assignees <> '[]'),
        coalesce(excluded.updated_at, '9999'), records.edited_at
    )
returning id;

-- name: note_moved
-- A file that went while another has most of its text was moved there, and so was each of its records.
with gone as materialized (
    select ref, type, path, body from records
    where source_id = :source_id and origin = :origin and gone_at = :now and type in ('doc', 'directive') and path <> ''
), standing as materialized (
    select ref, type, path, body from records
    where source_id = :source_id and origin = :origin and gone_at is null and type in ('doc', 'directive')
      and exists (select 1 from gone)
), alike as materialized (
    select g.type, g.path as old, s.path as new, sum(length(g.body)) as size
    from gone g
    join standing s on s.body = g.body and s.type = g.type and s.path <> g.path
    group by 1, 2, 3
), moved as materialized (
    select type, old, new from (
        select a.*, row_number() over (partition by type, old order by size desc, new) as place
        from alike a
        where 2 * size >= (select sum(length(body)) from gone g where g.type = a.type and g.path = a.old)
          and not exists (select 1 from standing s where s.type = a.type and s.path = a.old)
    )
    where place = 1
), counterparts as (
    select g.ref, coalesce(
        (select min(s.ref) from standing s where s.type = m.type and s.path = m.new and s.body = g.body),
        (select s.ref from standing s where s.ref = m.type || ':' || m.new || substr(g.ref, length(m.type || m.old) + 2))
    ) as now_at
    from moved m
    join gone g on g.type = m.type and g.path = m.old
)
insert or ignore into links (source_id, from_ref, relation, to_source, to_ref)
select :source_id, ref, 'moved_to', '', now_at from counterparts where now_at is not null;

-- name: records_now_gone
-- Records of an origin that its complete listing no longer has.
update records set gone_at = :now
where source_id = :source_id and origin = :origin and gone_at is null and id <= :newest
  and type not in (select value from json_each(:kept))
  and not exists (select 1 from temp.seen where seen.ref = records.ref);

-- name: count_unseen
-- How many records of an origin and a type its listing does not have.
select count(*) from records
where source_id = :source_id and origin = :origin and type = :type and gone_at is null
  and not exists (select 1 from temp.seen where seen.ref = records.ref);

-- name: records_by_ref
-- The record of a ref in each source that has one.
select
    s.name as source, r.id as record_id, r.source_id, r.type, r.ref, r.title, r.body, r.url, r.path as "path",
    r.line_start, r.line_end, r.author, r.state, r.labels, r.assignees, r.merged_by, r.created_at, r.updated_at,
    r.closed_at, r.merged_at, r.thread, r.authority, r.origin, r.vouched is not null as unverified, r.gone_at,
    iif(r.origin in ('agents', 'remembered', 'outcomes'), r.association, '') as recorded_by
from records r
join sources s on s.id = r.source_id
where r.ref = :ref and r.source_id in (select value from json_each(:sources))
order by s.name;

-- name: commits_between
-- Refs between two, of commits that begin with the same digits.
select distinct r.ref
from json_each(:sources) source
cross join records r on r.source_id = source.value and r.ref between :first and :last
order by r.ref;

-- name: comments_of_thread
-- What was said under an issue or a pull request, in order.
select ref, author, created_at, body, vouched is not null as unverified
from records
where source_id = :source_id and thread = :ref and thread <> '' and gone_at is null
order by created_at nulls first, ref;

-- name: moved_to
-- Where a record that is gone stands now, however often it was moved.
with recursive trail (ref, depth) as (
    select :ref, 0
    union
    select l.to_ref, depth + 1
    from trail
    join records r on r.source_id = :source_id and r.ref = trail.ref and r.gone_at is not null
    join links l on l.source_id = :source_id and l.from_ref = trail.ref and l.relation = 'moved_to'
    where depth < 100
)
select trail.ref from trail
join records r on r.source_id = :source_id and r.ref = trail.ref and r.gone_at is null
where depth > 0
order by depth
limit 1;

-- name: renumbered
-- The fact that says in the same file what one said that was taken out: a rule or a line that moved up or down.
select f.handle, f.source_id
from facts_archive a
cross join records r on r.source_id = a.source_id
  and r.ref > substr(a.record_ref, 1, instr(a.record_ref, '#'))
  and r.ref < substr(a.record_ref, 1, instr(a.record_ref, '#') - 1) || '$'
cross join facts f on f.record_id = r.id
where a.handle = :handle and a.source_id in (select value from json_each(:sources)) and a.merged_into is null
  and a.record_ref glob '*#[0-9]*' and r.type in ('directive', 'ownership') and r.gone_at is null
  and f.excerpt = a.excerpt and f.kind = a.kind
order by f.statement = a.statement desc, a.id desc, r.line_start nulls first
limit 1;

-- name: titles
-- What the records of a type are called, by id.
select r.id, r.ref, r.title from json_each(:sources) s cross join records r on r.source_id = s.value and r.type = :type
where r.gone_at is null order by r.id;

-- name: titles_of_threads
-- What comments need to know of the issues and pull requests they stand under; of two of one number
-- the last is the one that not only commits tell of.
select type, cast(substr(ref, instr(ref, ':') + 1) as integer) as number, title
from records
where source_id = (select id from sources where name = :source) and type in ('issue', 'pull') and gone_at is null
order by origin <> 'git';

-- name: threads
-- The records that these refs of these sources name.
select r.id, r.source_id, r.ref
from json_each(:threads) asked
cross join records r on r.source_id = cast(asked.value ->> 'source' as integer) and r.ref = asked.value ->> 'ref'
where r.gone_at is null;

-- name: cited_records
-- What a citation tells of its record; with :as_of, of what took it back only what was there by then.
-- Nothing is replaced by a pull request that was not merged. What a join looks for is computed before it: under row-level
-- security no index finds what the join itself computes.
with asked as materialized (
    select r.*, 'doc:' || r.path as document from records r where r.id in (select value from json_each(:ids))
)
select
    id, source_id, type, ref, title, url, path, line_start, line_end, author, state, labels, assignees, merged_by, closed_by,
    created_at, updated_at, closed_at, merged_at, authority, body, blocks, vouched is not null as unverified,
    coalesce((
        select max(b.ref) from lineage l cross join records b on b.id = l.by_record_id
        where l.source_id = records.source_id and l.record_id = records.id and l.state = 'reverted'
            and (:as_of = '' or substr(l.since, 1, length(:as_of)) <= :as_of)
            and (l.until = '' or :as_of <> '' and substr(l.until, 1, length(:as_of)) > :as_of)
    ), '') as reverted_by,
    iif(records.type <> 'pull', '', coalesce((
        select max(l.from_ref) from links l
        cross join records by_ on by_.source_id = l.source_id and by_.ref = l.from_ref
        where l.source_id = records.source_id and l.to_source = '' and l.to_ref = records.ref and l.relation = 'reverts_part'
            and by_.gone_at is null and by_.type = 'pull' and by_.merged_at is not null
            and (:as_of = '' or by_.merged_at <= :as_of)
    ), '')) as reverted_in_part_by,
    iif(records.type <> 'commit', '', coalesce((
        select l.to_ref from links l
        where l.source_id = records.source_id and l.to_source = '' and l.from_ref = records.ref and l.relation = 'merges'
    ), '')) as merges,
    coalesce((
        select min(l.to_ref) from links l
        where l.source_id = records.source_id and l.to_source = '' and l.from_ref in (records.ref, records.document)
            and l.relation = 'supersedes' and records.type <> 'comment'
            and (records.type <> 'pull' or records.merged_at is not null)
    ), '') as replaces,
    coalesce((
        select max(l.from_ref) from links l
        cross join records by_ on by_.source_id = l.source_id and by_.ref = l.from_ref
        where l.source_id = records.source_id and l.to_source = '' and l.to_ref in (records.ref, records.document)
            and l.relation = 'supersedes' and by_.gone_at is null and (by_.type <> 'pull' or by_.merged_at is not null)
            and by_.type <> 'comment' and (by_.type <> 'issue' or records.type = 'issue')
            and (:as_of = '' or coalesce(by_.merged_at, by_.created_at, (
                select min(t.created_at) from links k
                cross join records t on t.source_id = k.source_id and t.ref = k.from_ref
                where k.source_id = by_.source_id and k.to_source = '' and k.to_ref = 'file:' || by_.path and k.relation = 'touches'
            ), '') <= :as_of)
    ), '') as superseded_by,
    iif(type in ('doc', 'directive') and state = 'accepted', coalesce((
        select max(l.from_ref) from links l
        cross join records by_ on by_.source_id = l.source_id and by_.ref = l.from_ref
        where l.source_id = records.source_id and l.to_source = '' and l.to_ref = records.document and l.relation = 'amends'
            and by_.gone_at is null and (:as_of = '' or coalesce(by_.created_at, '') <= :as_of)
    ), ''), '') as amended_by
from asked records
order by records.id;

-- name: called_alike
-- A record is shared where another of the sources has one that is called the same, or its thread; ambiguous also where that
-- has an issue of the number that a pull request has here, for both are written '#9'.
select records.id,
    exists (
        select 1 from json_each(:sources) beside
        cross join records other on other.source_id = beside.value and other.ref in (records.ref, records.thread)
        where beside.value <> records.source_id and other.gone_at is null
    ) as shared,
    exists (
        select 1 from (select iif(records.type = 'comment', records.thread, records.ref) as ref) thread
        cross join json_each(:sources) beside
        cross join records other on other.source_id = beside.value and other.ref in (
            records.ref, records.thread,
            'pull:' || substr(thread.ref, 1 + instr(thread.ref, ':')), 'issue:' || substr(thread.ref, 1 + instr(thread.ref, ':'))
        )
        where beside.value <> records.source_id and other.gone_at is null
    ) as ambiguous
from records
where id in (select value from json_each(:ids));

-- name: outcomes_of_source
-- What became of what, with the pull request it came with: one that its text does not name, first.
select
    r.source_id, r.ref, r.title, r.state, r.body, r.author, r.created_at, r.updated_at,
    (
        select cast(substr(l.to_ref, 6) as integer)
        from links l
        cross join records o on o.source_id = l.source_id and o.ref = l.from_ref
        where l.source_id = r.source_id and l.from_ref = r.ref and l.relation = 'mentions' and l.to_source = ''
          and l.to_ref glob 'pull:[0-9]*'
        order by instr(o.body, '#' || substr(l.to_ref, 6)) > 0, l.to_ref
        limit 1
    ) as pull,
    r.association as recorded_by
from records r
where r.source_id = :source_id and r.type = 'outcome' and r.gone_at is null;

-- name: forget_promotions
-- A record that says something else is promoted again, and so is what it took back or merged.
delete from promotions
where record_id in (
    select r.id from records r where r.source_id = :source_id and r.ref = :ref
    union
    select r.id from links l cross join records r on r.source_id = l.source_id and r.ref = l.to_ref
    where l.source_id = :source_id and l.from_ref = :ref and l.to_source = '' and l.relation in ('reverts', 'reapplies', 'supersedes', 'merges')
);

-- name: decision_records
-- The files of decisions, with their status and what replaced them, the latest first; one that does not
-- tell its day is of the day it was committed.
with dated as materialized (
    select r.id, r.source_id, r.ref, coalesce(r.created_at, (
        select min(t.created_at) from links l
        cross join records t on t.source_id = l.source_id and t.ref = l.from_ref
        where l.source_id = r.source_id and l.to_source = '' and l.to_ref = 'file:' || r.path and l.relation = 'touches'
    )) as day
    from records r
    where r.source_id in (select value from json_each(:sources)) and r.type = 'doc' and r.state <> ''
      and r.gone_at is null and instr(r.ref, '#') = 0
)
select
    0 as id, r.id as record_id, r.source_id, r.ref as handle, 'decision' as kind, r.title as statement,
    substr(r.body, 1, 400) as excerpt, r.authority, 1.0 as confidence,
    s.name as source, r.ref, r.type, r.title, r.url, r.path, r.state, r.author, d.day as valid_from,
    null as valid_until, d.day as created_at, null as merged_at, null as closed_at,
    r.vouched is not null as unverified,
    (
        select json_array(x.ref, coalesce(x.merged_at, x.created_at, o.day), l.relation)
        from links l
        cross join records x on x.source_id = l.source_id and x.ref = l.from_ref
        left join dated o on o.id = x.id
        where l.source_id = r.source_id and l.to_source = '' and l.relation = 'supersedes' and l.to_ref = r.ref
        order by coalesce(x.created_at, o.day) nulls first
        limit 1
    ) as replaced
from dated d
cross join records r on r.id = d.id
cross join sources s on s.id = r.source_id
where :records is null or r.id in (select value from json_each(:records))
order by d.day desc nulls last, r.ref desc
limit :limit;

-- name: unwritten
-- The notes and outcomes that somebody recorded in a source; without a file until `is_migrated` finds it.
select
    r.type, r.ref, r.title, r.body, r.author, r.association, r.path, iif(r.origin = 'agents', r.origin, 'remembered'),
    r.created_at, r.updated_at, r.state, (
        select cast(substr(l.to_ref, 6) as integer) from links l
        cross join records o on o.source_id = l.source_id and o.ref = l.from_ref
        where l.source_id = r.source_id and l.from_ref = r.ref and l.relation = 'mentions' and l.to_source = ''
          and l.to_ref glob 'pull:[0-9]*'
        order by instr(o.body, '#' || substr(l.to_ref, 6)) > 0, l.to_ref
        limit 1
    )
from sources s
cross join records r on r.source_id = s.id
where s.name = :source and r.gone_at is null and r.type in ('directive', 'event', 'outcome')
  and (r.origin in ('remembered', 'agents') or r.origin = 'outcomes' and r.association <> '')
order by r.id;

-- name: holds
-- Whether a source has a record of one of some origins, or of any where none is named; gone ones count where :gone.
select 1 from sources s cross join records r on r.source_id = s.id
where s.name = :source and (:origins = '[]' or r.origin in (select value from json_each(:origins)))
  and (:gone or r.gone_at is null)
limit 1;
