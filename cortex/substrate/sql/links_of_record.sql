-- links_of_record.sql: what a record points at, then what points at it; titles where this source has the row.
select l.relation, l.to_source as source, l.to_ref as ref, coalesce(t.title, '') as title, 1 as outward
from links l
left join records t on t.source_id = l.source_id and t.ref = l.to_ref and l.to_source = ''
where l.source_id = :source_id and l.from_ref = :ref
union all
select l.relation, '', l.from_ref, coalesce(f.title, ''), 0
from links l
left join records f on f.source_id = l.source_id and f.ref = l.from_ref
where l.source_id = :source_id and l.to_ref = :ref and l.to_source = ''
order by 5 desc, 1, 3
