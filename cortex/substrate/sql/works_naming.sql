-- works_naming.sql: issues and pull requests of these numbers, and the pull requests and commits that fix or name one.
with named as materialized (
    select r.id, r.source_id, r.ref from json_each(:sources) s
    cross join json_each(:numbers) n
    cross join records r on r.source_id = s.value and r.ref in ('issue:' || n.value, 'pull:' || n.value)
    where r.gone_at is null
)
select id, 1.0 from named
union
select w.id, iif(l.relation = 'fixes', 1.0, 0.4) from named
cross join links l on l.source_id = named.source_id and l.to_ref = named.ref and l.to_source = ''
cross join records w on w.source_id = l.source_id and w.ref = l.from_ref
where l.relation in ('fixes', 'mentions') and w.type in ('pull', 'commit') and w.gone_at is null and w.created_at <= :until
