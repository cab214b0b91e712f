-- left_files.sql: what stood in files that are gone now, and nowhere else with the same text.
select g.type, g.path, g.ref, g.body, false as came
from records g
where g.source_id = :source_id and g.origin = :origin and g.gone_at = :now and g.type in ('doc', 'directive') and g.path <> ''
  and not exists (
    select 1 from records s
    where s.source_id = g.source_id and s.type = g.type and s.path = g.path and s.gone_at is null
  )
  and not exists (
    select 1 from records o
    join links l on l.source_id = o.source_id and l.from_ref = o.ref and l.relation = 'moved_to'
    where o.source_id = g.source_id and o.type = g.type and o.path = g.path and o.gone_at = :now
  )
order by g.ref
