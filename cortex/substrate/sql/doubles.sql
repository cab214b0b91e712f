-- doubles.sql: the issues and pull requests that are said, there or in a comment on them, to double the one called :ref.
select distinct t.id
from links l
cross join records r on r.source_id = l.source_id and r.ref = l.from_ref
cross join records t on t.source_id = r.source_id and t.ref = iif(r.thread = '', r.ref, r.thread)
where l.source_id = :source_id and l.to_source = '' and l.to_ref = :ref and l.relation = 'duplicates'
  and t.ref <> :ref and t.type in ('issue', 'pull') and r.gone_at is null and t.gone_at is null
order by t.id
