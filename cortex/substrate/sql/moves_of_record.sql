-- moves_of_record.sql: from where to where a record was moved, however often, and when it left each place.
with recursive places (ref) as (
    select :ref
    union
    select iif(l.from_ref = places.ref, l.to_ref, l.from_ref)
    from places
    join links l on l.source_id = :source_id and l.relation = 'moved_to' and l.to_source = ''
        and (l.from_ref = places.ref or l.to_ref = places.ref)
)
select l.from_ref as old, l.to_ref as new, r.gone_at as at
from places
join links l on l.source_id = :source_id and l.from_ref = places.ref and l.relation = 'moved_to'
join records r on r.source_id = l.source_id and r.ref = l.from_ref
