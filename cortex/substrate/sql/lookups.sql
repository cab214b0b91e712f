-- name: named_records
-- The records of the sources between two refs, each with the fact that says where it stands.
with named as materialized ( -- a comparison with what is computed in it would use no index of rows that are secured by source
    select value ->> 0 as first, value ->> 1 as last from json_each(:refs)
)
select r.id, (
    select f.id from facts f where f.record_id = r.id and f.path = 'promotion' and f.kind <> 'cross_repo'
    order by iif(f.valid_until is null, false, exists (select 1 from facts n where n.record_id = f.record_id and n.valid_from >= f.valid_until
            and n.id <> f.id and (n.start, n.end_) = (f.start, f.end_))), f.id limit 1
)
from named
cross join json_each(:sources) source
cross join records r on r.source_id = source.value and r.ref between named.first and named.last
where r.gone_at is null;

-- name: listed_records
-- The records of these types with these states, people, labels, paths, words and days, in order, with how
-- many there are. An empty list asks for nothing; a day is of what :dated names. Labels and assignees are as of today.
with asked as materialized (
    select 'file:' || value as ref, 'file:' || value || '/' as first, 'file:' || value || '0' as last from json_each(:paths)
), touching as materialized (
    select l.source_id, l.from_ref as ref
    from json_each(:sources) s
    cross join asked
    cross join links l on l.source_id = s.value and l.to_source = '' and l.relation = 'touches'
        and (l.to_ref = asked.ref or l.to_ref between asked.first and asked.last)
), merging as materialized (
    select source_id, ref from touching
    union
    select t.source_id, l.to_ref from touching t
    cross join links l on l.source_id = t.source_id and l.from_ref = t.ref and l.relation = 'merges' and l.to_source = ''
    union
    select t.source_id, l.from_ref from touching t
    cross join links l on l.source_id = t.source_id and l.to_ref = t.ref and l.relation = 'merges' and l.to_source = ''
), reviewed as materialized (
    select distinct v.source_id, v.thread as ref
    from json_each(:sources) s
    cross join links l on l.source_id = s.value and l.from_ref between 'comment:' and 'comment;' and l.relation = 'reviews'
        and l.to_source = ''
    cross join records v on v.source_id = l.source_id and v.ref = l.from_ref and v.gone_at is null
    where :verdicts <> '[]' and v.state in (select value from json_each(:verdicts))
        and (:reviewers = '[]' or v.author in (select value from json_each(:reviewers)))
        and (:as_of = '' or v.created_at <= :as_of)
), stood as (
    select
        r.id, r.source_id, r.ref, r.type, r.title, r.author, r.merged_by, r.closed_by, r.labels, r.assignees,
        iif(:as_of <> '' and max(coalesce(r.merged_at, ''), coalesce(r.closed_at, '')) > :as_of, 'open', r.state) as state,
        case :dated
            when 'created' then coalesce(r.created_at, r.merged_at)
            when 'merged' then r.merged_at
            when 'closed' then coalesce(r.closed_at, r.merged_at)
            when 'landed' then coalesce(r.merged_at, r.updated_at, r.created_at)
            else coalesce(r.merged_at, r.closed_at, r.created_at)
        end as day
    from (
        select
            r.id, r.source_id, r.ref, r.type, r.title, r.author, r.merged_by, r.closed_by, r.labels, r.assignees, r.state,
            r.created_at, r.updated_at, r.merged_at, r.closed_at, r.gone_at
        from json_each(:sources) s
        cross join json_each(:types) t
        cross join records r on r.source_id = s.value and r.type = t.value
        where :holding is null
        union all
        select
            r.id, r.source_id, r.ref, r.type, r.title, r.author, r.merged_by, r.closed_by, r.labels, r.assignees, r.state,
            r.created_at, r.updated_at, r.merged_at, r.closed_at, r.gone_at
        from json_each(:holding) h
        cross join records r on r.id = h.value
        where r.source_id in (select value from json_each(:sources)) and r.type in (select value from json_each(:types))
    ) r
    where r.gone_at is null and (:as_of = '' or coalesce(r.created_at, r.merged_at, r.closed_at) <= :as_of)
)
select r.id, r.author, r.merged_by, r.closed_by, count(*) over () as total
from stood r
where (:states = '[]' or exists (
        select 1 from json_each(:states) s where r.state = s.value or r.state glob (s.value || ' *')
    ))
    and (:authors = '[]' or r.author in (select value from json_each(:authors)) or lower(r.author) in (select value from json_each(:authors)))
    and (:mergers = '[]' or r.state = 'merged' and r.merged_by in (select value from json_each(:mergers)))
    and (:closers = '[]' or r.state <> 'open' and r.closed_by in (select value from json_each(:closers)))
    and (:assignees = '[]' or exists (
        select 1 from json_each(r.assignees) a where a.value in (select value from json_each(:assignees))
    ) or :assignees = '[""]' and not exists (select 1 from json_each(r.assignees)))
    and (:labels = '[]' or exists (
        select 1 from json_each(r.labels) l where l.value in (select value from json_each(:labels))
    ))
    and (:and_labels = '[]' or exists (
        select 1 from json_each(r.labels) l where l.value in (select value from json_each(:and_labels))
    ))
    and (:not_labels = '[]' or not exists (
        select 1 from json_each(r.labels) l where l.value in (select value from json_each(:not_labels))
    ))
    and (r.type <> 'doc' or :holding is not null or instr(r.ref, '#') = 0)
    and (:paths = '[]' or (r.source_id, r.ref) in (select source_id, ref from merging))
    and (:verdicts = '[]' or (r.source_id, r.ref) in (select source_id, ref from reviewed))
    and (:dated = 'reverted' or (:since = '' or r.day >= :since) and (:until = '' or r.day < :until))
    and (not :reverted or exists (
        select 1 from lineage l
        where l.record_id = r.id and l.state = 'reverted'
            and (:dated <> 'reverted' or (:since = '' or l.since >= :since) and (:until = '' or l.since < :until))
            and (:as_of = '' or substr(l.since, 1, length(:as_of)) <= :as_of)
            and (l.until = '' or :as_of <> '' and substr(l.until, 1, length(:as_of)) > :as_of)
    ))
    and (:dated <> 'landed' or r.state = 'merged' or r.type = 'commit' and r.title not like 'merge %' and not exists (
        select 1 from links l where l.source_id = r.source_id and l.from_ref = r.ref and l.relation = 'merges' and l.to_source = ''
        union all
        select 1 from links c
        cross join links m on m.source_id = c.source_id and m.from_ref = c.to_ref and m.relation = 'merges' and m.to_source = ''
        where c.source_id = r.source_id and c.from_ref = r.ref and c.relation = 'came_with' and c.to_source = ''
    ))
    and (not :reverted or r.type <> 'commit' or not exists (
        select 1 from links l where l.source_id = r.source_id and l.from_ref = r.ref and l.relation = 'merges' and l.to_source = ''
        union all
        select 1 from links c
        cross join links m on m.source_id = c.source_id and m.from_ref = c.to_ref and m.relation = 'merges' and m.to_source = ''
        cross join links v on v.source_id = m.source_id and v.to_ref = m.to_ref and v.relation = 'reverts' and v.to_source = ''
        where c.source_id = r.source_id and c.from_ref = r.ref and c.relation = 'came_with' and c.to_source = ''
    ))
order by iif(:oldest, r.day, null) nulls first, r.day desc nulls last, iif(:oldest, -r.id, r.id) desc
limit :limit;

-- name: has_issues
-- Whether there is an issue that was known.
select exists (
    select 1 from json_each(:sources) s
    cross join records r on r.source_id = s.value and r.type = 'issue'
    where r.gone_at is null and (:as_of = '' or coalesce(r.created_at, r.merged_at, r.closed_at) <= :as_of)
);

-- name: project_records
-- What these sources state of the properties :named, in the order of their files and lines.
select r.id, r.source_id, r.labels ->> 0 as property, coalesce(r.labels ->> 1, '') as of, r.title, r.path, r.line_start
from json_each(:sources) s
cross join records r on r.source_id = s.value and r.type = 'project' and r.gone_at is null
where r.labels ->> 0 in (select value from json_each(:named))
order by r.source_id, r.path, r.line_start nulls first, r.id;

-- name: verdicts_on
-- Each reviewer's last verdict on a thread, else their last review, with their name, the latest first.
-- Who answers under their own pull request reviews nothing.
select id, author, state, created_at from (
    select
        r.id, r.author, r.state, r.created_at,
        row_number() over (
            partition by r.author order by r.state in ('commented', 'dismissed'), r.created_at desc nulls last, r.id desc
        ) as place
    from records r
    left join records p on p.source_id = r.source_id and p.ref = r.thread
    where r.source_id = :source_id and r.thread = :ref and r.thread <> '' and r.gone_at is null
        and (:as_of = '' or r.created_at <= :as_of) and r.author is not p.author
        and r.state in ('approved', 'changes_requested', 'commented', 'dismissed') and (:verdict = '' or r.state = :verdict)
)
where place = 1
order by created_at desc nulls last;

-- name: named_decisions
-- The rules and parts of the decision records whose files begin with these numbers, the rules first.
with decided as (
    select source_id, path from records
    where source_id in (select value from json_each(:sources)) and type = 'doc' and state <> ''
        and gone_at is null and instr(ref, '#') = 0
        and cast(ltrim(replace(lower(substr(path, length(rtrim(path, replace(path, '/', ''))) + 1)), 'adr', ''), '-_')
            as integer) in (select value from json_each(:numbers))
)
select r.id, (
    select f.id from facts f where f.record_id = r.id and f.path = 'promotion' and f.kind <> 'cross_repo' order by f.id limit 1
)
from decided d
join records r on r.source_id = d.source_id and r.path = d.path and r.gone_at is null
order by r.type <> 'directive', r.id;

-- name: named_later
-- What the records called :ids tell of that was not there yet at :as_of: id, ref and title of the record, the
-- ref of what it names, and whether that was made later; else it was only merged or closed later, or not yet. An empty ref
-- stands for what has replaced the record since. A commit's message stays as it was.
select r.id, r.ref, r.title, l.to_ref, t.created_at > :as_of
from json_each(:ids) asked
cross join records r on r.id = asked.value and r.type <> 'commit'
cross join links l on l.source_id = r.source_id and l.from_ref = r.ref and l.to_source = ''
cross join records t on t.source_id = l.source_id and t.ref = l.to_ref and t.type in ('issue', 'pull')
where coalesce(t.merged_at, t.closed_at, :as_of || '~') > :as_of
union
select r.id, r.ref, r.title, '', true
from json_each(:ids) asked
cross join records r on r.id = asked.value and r.type in ('doc', 'directive')
cross join links l on l.source_id = r.source_id and l.to_ref in (r.ref, 'doc:' || r.path) and l.relation = 'supersedes'
    and l.to_source = ''
cross join records by_ on by_.source_id = l.source_id and by_.ref = l.from_ref
where coalesce(by_.merged_at, by_.created_at, (
    select min(t.created_at) from links k
    cross join records t on t.source_id = k.source_id and t.ref = k.from_ref
    where k.source_id = by_.source_id and k.to_source = '' and k.to_ref = 'file:' || by_.path and k.relation = 'touches'
)) > :as_of;
