-- outcomes_of_source.sql: what became of what, with the pull request it came with: one that its text does not name, first.
select
    r.source_id, r.ref, r.title, r.state, r.body, r.author, r.created_at, r.updated_at,
    (
        select cast(substr(l.to_ref, 6) as integer)
        from links l
        cross join records o on o.source_id = l.source_id and o.ref = l.from_ref
        where l.source_id = r.source_id and l.from_ref = r.ref and l.relation = 'mentions' and l.to_source = ''
          and l.to_ref glob 'pull:[0-9]*'
        order by instr(o.body, '#' || substr(l.to_ref, 6)) > 0, l.to_ref
        limit 1
    ) as pull,
    r.association as recorded_by
from records r
where r.source_id = :source_id and r.type = 'outcome' and r.gone_at is null
