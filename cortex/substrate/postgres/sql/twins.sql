-- Statements that SQLite words in a way of its own: columns of any row of a group, recursion by two ways, names in a JSON object.

-- name: still_standing
-- Facts of what was taken back, or of an open row that another has replaced; beside what did so.
select handle, statement, other, other_statement, state, authority, other_authority from (
    select distinct on (a.id)
        f.handle, f.statement, n.handle as other, n.statement as other_statement, l.state, f.authority, n.authority as other_authority
    from lineage l
    join records a on a.id = l.record_id
    join records b on b.id = l.by_record_id
    join facts f on f.record_id = a.id
    join facts n on n.record_id = b.id
    where l.source_id = :source_id and l.until = '' and l.state in ('reverted', 'superseded') and a.id <> b.id
      and a.gone_at is null and b.gone_at is null and f.valid_until is null and n.valid_until is null
      and a.type in ('pull', 'commit', 'issue', 'directive', 'doc') and b.type in ('pull', 'commit', 'directive', 'doc')
      and (b.type <> 'pull' or b.merged_at is not null)
      and iif(l.state = 'reverted', b.type <> 'doc', a.type <> 'commit' and a.state in ('open', 'accepted', ''))
      and f.kind not in ('ownership', 'cross_repo') and n.kind not in ('ownership', 'cross_repo')
    order by a.id, l.since, l.state, b.id, f.id, n.id
) standing
order by handle;

-- name: promote_references
-- What refers to another repository.
insert into temp.candidates (record_id, kind, statement, start, end_, confidence, valid_from, valid_until)
select
    r.id, 'cross_repo',
    opening(r.type, r.ref) || ' "' || trim(r.title) || '"'
    || coalesce(' (' || iif(r.author <> '', 'by ' || r.author || ', ', '')
        || iif(r.merged_at is not null, 'merged ', '') || substr(coalesce(r.merged_at, r.created_at), 1, 10) || ')', '')
    || ' refers to ' || listed(g.refs),
    place_start(r.title, r.body, g.first), place_end(r.title, r.body, g.first), 0.85,
    coalesce(r.merged_at, r.created_at), null
from (
    select id, min(first) as first, string_agg(name, ',' order by relation, to_source, to_ref) as refs from (
        select distinct on (r.id, l.to_source || n.name)
            r.id, l.relation, l.to_source, l.to_ref, l.to_source || n.name as name, min(l.to_ref) over (partition by r.id) as first
        from links l
        join records r on r.source_id = l.source_id and r.ref = l.from_ref
        join temp.due on due.id = r.id
        cross join lateral (select case
            when l.to_ref glob 'commit:*' then '@' || substr(l.to_ref, 8)
            when l.to_ref glob 'comment:*' then '#' || substr(l.to_ref, 9, instr(l.to_ref, '#') - 9)
            else l.to_ref end as name) n
        where l.source_id = :source_id and l.to_source <> '' and due.type in ('pull', 'issue')
        order by r.id, l.to_source || n.name, l.relation, l.to_source, l.to_ref
    ) named
    group by id
) g
join records r on r.id = g.id
where trim(r.title) <> '';

-- name: resolve_reverts
-- What reverts a revert brings back what that took back, and so on; and each follows those before it.
insert or ignore into links (source_id, from_ref, relation, to_source, to_ref, derived)
with recursive gone as materialized (
    select ref from records where source_id = :source_id and gone_at is not null
), told (by_, relation, of_) as (
    select from_ref, kind, iif(kind = 'follows', from_ref, to_ref) from links
    cross join lateral unnest(array[relation, 'follows']) as k (kind)
    where source_id = :source_id and to_source = '' and relation in ('reverts', 'reapplies') and from_ref not in (select ref from gone)
    union
    select
        w.from_ref, case t.relation when 'reverts' then 'reapplies' when 'reapplies' then 'reverts' else 'follows' end, t.of_
    from told t
    join links w on w.source_id = :source_id and w.to_source = '' and w.relation = 'reverts'
      and w.to_ref in (
        with recursive came (ref) as (
            select t.by_
            union
            select m.ref from came cross join lateral (
                select to_ref as ref from links
                where source_id = :source_id and from_ref = came.ref and relation in ('merges', 'came_with') and to_source = ''
                union all
                select from_ref from links
                where source_id = :source_id and to_ref = came.ref and relation = 'merges' and to_source = ''
            ) m
        )
        select ref from came
      )
    where w.from_ref <> t.of_ and w.from_ref not in (select ref from gone)
)
select :source_id, by_, relation, '', of_, 1 from told where by_ <> of_;

-- name: named_decisions
-- The rules and parts of the decision records whose files begin with these numbers, the rules first.
with decided as (
    select source_id, path from records
    where source_id in (select value from json_each(:sources)) and type = 'doc' and state <> ''
        and gone_at is null and instr(ref, '#') = 0
        and cast(substring(path from '(?i)(?:^|/)(?:adr|[-_])*(\d{1,9})[^/]*$') as bigint) in (select value from json_each(:numbers))
)
select r.id, (
    select f.id from facts f where f.record_id = r.id and f.path = 'promotion' and f.kind <> 'cross_repo' order by f.id limit 1
)
from decided d
join records r on r.source_id = d.source_id and r.path = d.path and r.gone_at is null
order by r.type <> 'directive', r.id;

-- Under row-level security no index finds what the row of another table, or a query, was computed from: it is computed first.

-- name: rows_of_passages
-- Passages with the record and the source they stand in; with :first that with which each of these records begins.
with asked as materialized (
    select key, iif(:first, (select min(id) from passages where record_id = e.value), e.value) as id from json_each(:ids) e
)
select
    p.id, p.record_id, p.source_id, r.ref, r.type, r.title, r.authority, iif(r.type = 'commit' and not :first, coalesce((
        select l.to_ref from links l
        where l.source_id = r.source_id and l.from_ref = r.ref and l.relation = 'merges' and l.to_ref glob 'pull:*' limit 1
    ), ''), r.thread) as thread,
    iif(:as_of <> '' and coalesce(r.merged_at, r.closed_at) > :as_of, 'open', r.state), r.author, r.association, r.vouched is not null and (r.vouched = 0 or p.end_ > r.vouched),
    coalesce(iif(:as_of <> '' and r.merged_at > :as_of, null, r.merged_at), r.created_at, ''), p.start, p.end_, p.body
from asked
cross join passages p on p.id = asked.id
cross join records r on r.id = p.record_id
order by iif(:first, asked.key, p.id);

-- name: files_touched
-- Of each of these files of a source, whether its tree has it now, and how many commits touched it.
with asked as materialized (select key, value, 'file:' || value as ref from json_each(:paths))
select
    p.value,
    iif(
        exists (select 1 from tree t where t.source_id = :source_id),
        exists (select 1 from tree t where t.source_id = :source_id and t.path = p.value), null
    ),
    (
        select count(*) from links l
        where l.source_id = :source_id and l.to_source = '' and l.relation = 'touches' and l.to_ref = p.ref
    )
from asked p
order by p.key;

-- name: threads
-- The records that these refs of these sources name.
with asked as materialized (
    select cast(e.value ->> 'source' as integer) as source_id, e.value ->> 'ref' as ref from json_each(:threads) e
)
select r.id, r.source_id, r.ref
from asked
cross join records r on r.source_id = asked.source_id and r.ref = asked.ref
where r.gone_at is null;

-- name: called_alike
-- By their refs, which an index finds in all sources at once; under row-level security in none that a join computes.
with named as materialized (
    select id, source_id, array[ref, thread] as refs,
        array[ref, thread, 'pull:' || substr(about, 1 + instr(about, ':')), 'issue:' || substr(about, 1 + instr(about, ':'))] as like_it
    from (
        select id, source_id, ref, thread, iif(type = 'comment', thread, ref) as about
        from records where id in (select value from json_each(:ids))
    ) asked
)
select n.id,
    exists (
        select 1 from records other where other.ref = any(n.refs) and other.source_id <> n.source_id and other.gone_at is null
            and other.source_id in (select value from json_each(:sources))
    ) as shared,
    exists (
        select 1 from records other where other.ref = any(n.like_it) and other.source_id <> n.source_id and other.gone_at is null
            and other.source_id in (select value from json_each(:sources))
    ) as ambiguous
from named n;

-- name: blocks_of_sources
select distinct id / :size from passages where source_id in (select value from json_each(:sources));

-- name: compactions
-- Every compaction, the latest first; those that had to do with some sources, by id and name, or all.
select c.id as run, s.name as source, c.started_at, c.finished_at, c.status, c.report
from runs c
left join sources s on s.id = c.source_id
where c.command = 'compact' and (
    :sources is null
    or c.source_id in (select value from json_each(:sources))
    or c.source_id is null and exists (
        select 1
        from json_array_elements(cast(c.report as json) -> 'jobs') job
        cross join json_object_keys(job -> 'by_source') of_source
        where of_source in (select value from json_each(:names))
    )
)
order by c.id desc
limit :limit;

-- name: paths_ending
-- The files in any folder that are called so, two at most. `right` is a tenth of what `substr` takes, which is ours.
select distinct substring(l.to_ref from 6)
from json_each(:sources) s
cross join links l
on l.source_id = s.value and l.to_source = '' and l.relation = 'touches' and l.to_ref between 'file:' and 'file;'
    and right(l.to_ref, length(:name) + 1) = '/' || :name
limit 2;
