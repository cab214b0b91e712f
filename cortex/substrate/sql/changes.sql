-- name: stated_links
-- What took back, brought back, amended or took the place of which record, and who says so. A commit is
-- told by the pull request that it merged, and a remark speaks for the thread it stands under.
with told as (
    select relation, from_ref as by_ref, to_ref as of_ref, from_ref as teller
    from links
    where source_id = :source_id and to_source = ''
        and relation in ('reverts', 'reapplies', 'supersedes', 'revalues', 'reverts_part', 'amends')
    union all
    select 'supersedes', l.to_ref, iif(t.type = 'comment', t.thread, t.ref), t.ref
    from links l
    cross join records t on t.source_id = l.source_id and t.ref = l.from_ref
    where l.source_id = :source_id and l.to_source = '' and l.relation = 'superseded_by'
    union all -- a file that says so of itself
    select 'supersedes', r.ref, r.ref, r.ref from records r
    where r.source_id = :source_id and r.type = 'doc' and r.ref = 'doc:' || r.path and r.gone_at is null
        and r.state in ('superseded', 'deprecated')
), merged as (
    select told.*, coalesce((
        select p.ref from links l
        cross join records p on p.source_id = l.source_id and p.ref = l.to_ref
        where told.by_ref glob 'commit:*' and l.source_id = :source_id and l.from_ref = told.by_ref
            and l.relation = 'merges' and p.type = 'pull' and p.merged_at is not null and p.gone_at is null
        limit 1
    ), told.by_ref) as doer
    from told
)
select distinct
    m.relation, b.ref, b.type, b.title, coalesce(b.created_at, ''), coalesce(b.merged_at, ''),
    m.of_ref, coalesce(o.type, ''), coalesce(o.title, ''), coalesce(o.merged_at, ''), coalesce(o.closed_at, ''), t.type, coalesce(t.created_at, ''), t.author <> '' and t.author = o.author,
    t.vouched is not null,
    (
        select count(*) from links n
        where n.source_id = :source_id and n.from_ref = b.ref and n.relation = 'follows' and n.to_source = ''
    )
from merged m
cross join records b on b.source_id = :source_id and b.ref = m.doer and b.gone_at is null and b.type <> 'comment'
cross join records t on t.source_id = :source_id and t.ref = m.teller and t.gone_at is null
left join records o on o.source_id = :source_id and o.ref = m.of_ref and o.gone_at is null
where m.doer <> m.of_ref or m.teller = m.of_ref;

-- name: changes_due
-- What states changes in its own words, and was not read since it says so: merged pull requests, commits
-- that are told by none of these, tags, and the parts of changelogs.
select r.id, r.type, r.path, r.title, r.body, coalesce(r.merged_at, r.created_at, ''), r.content_hash
from records r
where r.source_id = :source_id and r.gone_at is null and r.type in ('pull', 'commit', 'doc', 'release') and r.origin <> 'agents'
    and (r.type <> 'pull' or r.merged_at is not null)
    and (r.type <> 'commit' or r.title not like 'merge %' and not exists (
        select 1 from links l
        cross join records p on p.source_id = l.source_id and p.ref = l.to_ref
        where l.source_id = r.source_id and l.from_ref = r.ref and l.relation = 'merges' and p.type = 'pull'
    ))
    and (r.type <> 'doc' or r.path like '%change%' or r.path like '%history%' or r.path like '%new%' or r.path like '%release%')
    and not exists (select 1 from changes_read c where c.record_id = r.id and c.content_hash = r.content_hash);

-- name: changes_stale
-- What was read and is gone, is said otherwise now, or is told by another.
select c.record_id
from changes_read c
cross join records r on r.id = c.record_id
where r.source_id = :source_id
    and (r.gone_at is not null or r.content_hash <> c.content_hash or r.type = 'pull' and r.merged_at is null
        or r.type = 'commit' and exists (
            select 1 from links l
            cross join records p on p.source_id = l.source_id and p.ref = l.to_ref
            where l.source_id = r.source_id and l.from_ref = r.ref and l.relation = 'merges' and p.type = 'pull'
        ));

-- name: changes_of
-- What some records change, or what is changed of all that the stems name, the latest first.
select c.source_id, c.record_id, r.ref, c.op, c.subject, c.old, c.new, c.scope, c.certainty, c.day, c.target_ref, o.id
from changes c
cross join records r on r.id = c.record_id and r.gone_at is null
left join records o on o.source_id = c.source_id and o.ref = c.target_ref and c.target_ref <> ''
where (:records is null or c.record_id in (select value from json_each(:records)))
    and (:sources is null or c.source_id in (select value from json_each(:sources)))
    and not exists (select 1 from json_each(:stems) s where instr(c.stems, ' ' || s.value || ' ') = 0)
    and (:as_of = '' or substr(c.day, 1, length(:as_of)) <= :as_of)
    and (c.target_ref <> '' or not exists ( -- which tells the same with the record that it is of
        select 1 from changes n
        where n.record_id = c.record_id and n.op = c.op and n.target_ref <> ''
            and (n.op in ('reverts', 'relands') or n.subject = c.subject)
    ))
order by c.day desc, c.record_id, c.rowid
limit :limit;

-- name: lineage_of
-- What stands in the place of some records at a time, at the end of each chain; a part of a document goes
-- with the document.
with recursive asked(id, of_id) as (
    select r.id, r.id from json_each(:records) a cross join records r on r.id = a.value
    union
    select r.id, d.id from json_each(:records) a
    cross join records r on r.id = a.value
    cross join records d on d.source_id = r.source_id and d.ref = 'doc:' || r.path
    where r.type in ('doc', 'directive') and r.path <> ''
), chain(id, first, state, by_id, certainty, since, depth) as (
    select a.id, l.by_record_id, l.state, l.by_record_id, l.certainty, l.since, 0
    from asked a
    cross join lineage l on l.record_id = a.of_id
    where (:as_of = '' or substr(l.since, 1, length(:as_of)) <= :as_of)
        and (l.until = '' or :as_of <> '' and substr(l.until, 1, length(:as_of)) > :as_of)
    union all
    select c.id, c.first, c.state, l.by_record_id, min(c.certainty, l.certainty), c.since, c.depth + 1
    from chain c
    cross join lineage l on l.record_id = c.by_id and l.state = 'superseded' and l.by_record_id <> c.by_id
    where c.state = 'superseded' and c.depth < 500
        and (:as_of = '' or substr(l.since, 1, length(:as_of)) <= :as_of)
        and (l.until = '' or :as_of <> '' and substr(l.until, 1, length(:as_of)) > :as_of)
), head as (
    select *, row_number() over (partition by id, state, first order by depth desc) as place from chain
)
select h.id, h.state, h.by_id, b.ref, h.certainty, h.since
from head h
cross join records b on b.id = h.by_id
where h.place = 1
order by h.id, h.state = 'amended', h.since desc, b.ref;

-- name: releases
-- What tells of a release, and how: parts of changelogs, tags, and titles of commits and pull requests. A tag is
-- reached where the commit that it names was read, or GitHub shows its release.
select
    r.id, r.source_id, r.type, iif(r.type = 'release', substr(r.ref, 9), r.path), r.title, coalesce(r.line_start, 0), c.new, c.day, c.certainty < 0.5,
    r.type = 'release' and (r.origin = 'github' or exists (
        select 1 from links l
        cross join records t on t.source_id = l.source_id and t.ref = l.to_ref and t.gone_at is null
        where l.source_id = r.source_id and l.from_ref = r.ref and l.relation = 'releases' and l.to_source = ''
    ))
from json_each(:sources) s
cross join changes c on c.source_id = s.value and c.op = 'releases' and c.target_ref = ''
cross join records r on r.id = c.record_id and r.gone_at is null
order by c.day, r.id;
