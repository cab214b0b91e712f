-- works_behind.sql: the pieces of work that some records tell of, known at :until: of a comment its thread, of an issue
-- what fixed it or was meant to, of a commit the pull request that it was merged by; each beside the record it was found by.
with heads as materialized (
    select a.value as asked, coalesce(t.id, r.id) as id
    from json_each(:ids) a
    cross join records r on r.id = a.value
    left join records t on r.type = 'comment' and t.source_id = r.source_id and t.ref = r.thread and t.gone_at is null
), merges as materialized (
    select h.asked, h.id, r.source_id, l.to_ref as ref from heads h
    cross join records r on r.id = h.id and r.type = 'commit'
    cross join links l on l.source_id = r.source_id and l.from_ref = r.ref and l.relation = 'merges' and l.to_source = ''
    union
    select h.asked, h.id, r.source_id, l.from_ref from heads h
    cross join records r on r.id = h.id and r.type = 'commit'
    cross join links l on l.source_id = r.source_id and l.to_ref = r.ref and l.relation = 'merges' and l.to_source = ''
    union
    select h.asked, h.id, r.source_id, m.to_ref from heads h
    cross join records r on r.id = h.id and r.type = 'commit'
    cross join links l on l.source_id = r.source_id and l.from_ref = r.ref and l.relation = 'came_with' and l.to_source = ''
    cross join links m on m.source_id = l.source_id and m.from_ref = l.to_ref and m.relation = 'merges' and m.to_source = ''
), tries as materialized ( -- of an issue
    select h.asked, w.id, w.source_id, w.ref from heads h
    cross join records r on r.id = h.id
    cross join links l on l.source_id = r.source_id and l.to_ref = r.ref and l.relation = 'fixes' and l.to_source = ''
    cross join records w on w.source_id = l.source_id and w.ref = l.from_ref
    where r.type = 'issue' and w.gone_at is null
      and (w.merged_at <= :until or w.closed_at <= :until or w.type = 'commit' and w.created_at <= :until)
)
select asked, id from tries
union -- what the ledger says of it
select t.asked, w.id from (
    select asked, id, source_id, ref from tries
    union
    select h.asked, r.id, r.source_id, r.ref from heads h cross join records r on r.id = h.id where r.type = 'pull'
) t
cross join links l on l.source_id = t.source_id and l.to_ref = t.ref and l.relation = 'mentions' and l.to_source = ''
cross join records w on w.source_id = l.source_id and w.ref = l.from_ref
where w.type = 'outcome' and w.gone_at is null and coalesce(w.created_at <= :until, true)
union
select m.asked, w.id from merges m
cross join records w on w.source_id = m.source_id and w.ref = m.ref
where w.type = 'pull' and w.gone_at is null and w.created_at <= :until
union
select h.asked, r.id from heads h
cross join records r on r.id = h.id
where r.type in ('issue', 'pull', 'outcome', 'commit') and coalesce(r.created_at <= :until, true)
    and h.id not in (select id from merges)
