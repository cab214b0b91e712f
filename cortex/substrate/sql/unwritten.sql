-- unwritten.sql: the notes and outcomes that somebody recorded in a source; without a file until `is_migrated.sql` finds it.
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
order by r.id
