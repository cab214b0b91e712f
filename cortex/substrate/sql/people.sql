-- name: workers_on
-- Who wrote the commits that changed files, or what is in folders, up to a day, most first, with the latest; and who did last.
with asked as materialized (
    select rtrim(value, '/') as path from json_each(:paths) where rtrim(value, '/') <> ''
), touching as materialized (
    select l.source_id, l.from_ref as ref from json_each(:sources) s cross join asked
    cross join links l on l.source_id = s.value and l.to_source = '' and l.relation = 'touches' and l.to_ref = 'file:' || asked.path
    union
    select l.source_id, l.from_ref from json_each(:sources) s cross join asked
    cross join links l on l.source_id = s.value and l.to_source = '' and l.relation = 'touches'
      and l.to_ref > 'file:' || asked.path || '/' and l.to_ref < 'file:' || asked.path || '0'
)
select author, source, changes, latest, ref, authority
from (
    select *, row_number() over (order by changes desc, latest desc, author, source) as most, row_number() over (order by latest desc, author, source) as last
    from (
        select
            r.author, s.name as source, count(*) over same as changes, coalesce(r.created_at, '') as latest, r.ref, r.authority,
            row_number() over (same order by coalesce(r.created_at, '') desc, r.id) as place
        from touching t
        cross join records r on r.source_id = t.source_id and r.ref = t.ref
        cross join sources s on s.id = r.source_id
        where r.type = 'commit' and r.author <> '' and r.gone_at is null and coalesce(r.created_at, '') <= :until
        window same as (partition by r.author, s.name)
    ) as written
    where place = 1
) as ranked
where most <= :limit or last = 1
order by most;

-- name: ownership_records
-- Every line of the files that say who owns what, in the order of the files.
select
    s.name as source, r.source_id, r.ref, r.title, r.body, r.path, r.line_start as line, r.assignees, r.state, r.authority,
    coalesce((select f.handle from facts f where f.record_id = r.id order by f.id limit 1), r.ref) as handle
from json_each(:sources) asked
cross join sources s on s.id = asked.value
cross join records r on r.source_id = s.id and r.type = 'ownership'
where r.gone_at is null
order by s.name, r.path, r.line_start nulls first;

-- name: people_called
-- Who is called :name, in full or by the first of several names, as the sources write them.
with found(who) as (
    select r.author from json_each(:sources) s
    cross join json_each('["issue", "pull", "commit"]') t
    cross join records r on r.source_id = s.value and r.type = t.value and r.gone_at is null
    where substr(lower(r.author) || ' ', 1, length(:name) + 1) = lower(:name) || ' '
    union
    select r.merged_by from json_each(:sources) s
    cross join records r on r.source_id = s.value and r.type = 'pull' and r.gone_at is null
    where substr(lower(r.merged_by) || ' ', 1, length(:name) + 1) = lower(:name) || ' '
    union
    select r.closed_by from json_each(:sources) s
    cross join json_each('["issue", "pull"]') t
    cross join records r on r.source_id = s.value and r.type = t.value and r.gone_at is null
    where substr(lower(r.closed_by) || ' ', 1, length(:name) + 1) = lower(:name) || ' '
    union
    select a.value from json_each(:sources) s
    cross join json_each('["issue", "pull"]') t
    cross join records r on r.source_id = s.value and r.type = t.value and r.gone_at is null and r.assignees <> '[]'
    cross join json_each(r.assignees) a
    where lower(a.value) = lower(:name)
)
select who, lower(who) = lower(:name) from found;

-- name: reviewers_called
-- Who is called :name and reviewed a pull request, as the sources write them.
select distinct r.author from records r
where lower(r.author) = :name and r.source_id in (select value from json_each(:sources)) and r.type = 'comment' and r.gone_at is null
    and r.state in ('approved', 'changes_requested', 'commented', 'dismissed');

-- name: names_of_login
-- What git calls who is called :who on GitHub, by the commits that their pull requests became; nothing where
-- these are of several names, or one name is of several logins. Who made a merge commit need not have written anything.
with became as materialized (
    select distinct lower(p.author) as login, c.author as name
    from records p
    cross join links l on l.source_id = p.source_id and l.to_ref = p.ref and l.relation = 'merges' and l.to_source = ''
    cross join records c on c.source_id = l.source_id and c.ref = l.from_ref
    where p.source_id in (select value from json_each(:sources)) and p.type = 'pull' and p.gone_at is null
        and c.type = 'commit' and c.gone_at is null and c.title not like 'Merge %' and p.author <> '' and c.author <> ''
        and lower(p.author) <> lower(c.author)
)
select lower(b.name) from became b
where b.login = :who
    and (select count(*) from became other where other.login = b.login) = 1
    and (select count(*) from became other where other.name = b.name) = 1;

-- name: labels_called
-- The labels that are called by one of :names, whole or after 'kind/' or 'kind: '.
select distinct l.value
from json_each(:sources) s
cross join json_each('["issue", "pull"]') t
cross join records r on r.source_id = s.value and r.type = t.value
cross join json_each(r.labels) l
cross join json_each(:names) n
where r.labels <> '[]' and r.gone_at is null
    and (lower(l.value) = n.value or substr(lower(l.value), -length(n.value) - 1) in ('/' || n.value, ':' || n.value)
        or substr(lower(l.value), -length(n.value) - 2) = ': ' || n.value);
