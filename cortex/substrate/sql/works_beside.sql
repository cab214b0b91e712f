-- works_beside.sql: the issues and pull requests that some pieces of work, or the remarks under them, name or are named by;
-- what nobody of the project stands behind names nothing.
with heads as materialized (
    select r.id, r.source_id, r.ref from json_each(:ids) a cross join records r on r.id = a.value
), said as materialized (
    select id, source_id, ref from heads
    union all
    select h.id, h.source_id, c.ref from heads h
    cross join records c on c.source_id = h.source_id and c.thread = h.ref and c.thread <> '' and c.created_at <= :until
    where c.gone_at is null and c.vouched is null
), named as materialized (
    select s.id, s.source_id, l.to_ref as ref from said s
    cross join links l on l.source_id = s.source_id and l.from_ref = s.ref and l.to_source = ''
    union
    select h.id, h.source_id, l.from_ref from heads h
    cross join links l on l.source_id = h.source_id and l.to_ref = h.ref and l.to_source = ''
    cross join records n on n.source_id = l.source_id and n.ref = l.from_ref and n.vouched is null
)
select distinct n.id, w.id from named n
cross join records t on t.source_id = n.source_id and t.ref = n.ref and t.created_at <= :until
cross join records w on w.source_id = t.source_id and w.ref = iif(t.type = 'comment', t.thread, t.ref)
where t.gone_at is null and w.type in ('issue', 'pull') and w.gone_at is null and w.id <> n.id
