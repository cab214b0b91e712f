-- note_moved.sql: a file that went while another has most of its text was moved there, and so was each of its records.
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
select :source_id, ref, 'moved_to', '', now_at from counterparts where now_at is not null
