-- people_called.sql: who is called :name, in full or by the first of several names, as the sources write them.
with named as (
    select value as id, lower(:name) as name, lower(:name) || ' ' as first
    from json_each(:sources)
), found(who, name, first) as (
    select r.author, n.name, n.first from named n
    cross join json_each('["issue", "pull", "commit"]') t
    cross join records r on r.source_id = n.id and r.type = t.value and r.gone_at is null
    where substr(lower(r.author) || ' ', 1, length(n.first)) = n.first
    union
    select r.merged_by, n.name, n.first from named n
    cross join records r on r.source_id = n.id and r.type = 'pull' and r.gone_at is null
    where substr(lower(r.merged_by) || ' ', 1, length(n.first)) = n.first
    union
    select r.closed_by, n.name, n.first from named n
    cross join json_each('["issue", "pull"]') t
    cross join records r on r.source_id = n.id and r.type = t.value and r.gone_at is null
    where substr(lower(r.closed_by) || ' ', 1, length(n.first)) = n.first
    union
    select a.value, n.name, n.first from named n
    cross join json_each('["issue", "pull"]') t
    cross join records r on r.source_id = n.id and r.type = t.value and r.gone_at is null and r.assignees <> '[]'
    cross join json_each(r.assignees) a
    where lower(a.value) = n.name
)
select distinct who, lower(who) = name from found
