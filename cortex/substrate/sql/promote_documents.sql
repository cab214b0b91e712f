-- promote_documents.sql: what mended nothing but documents tells of no failure in use.
with asked as materialized (
    select distinct r.id, r.source_id, r.ref from temp.candidates c cross join records r on r.id = c.record_id
    where c.kind = 'incident' and r.type in ('pull', 'commit')
), made as materialized (
    select id, source_id, ref from asked
    union
    select a.id, a.source_id, l.to_ref from asked a
    cross join links l on l.source_id = a.source_id and l.from_ref = a.ref and l.relation = 'merges' and l.to_source = ''
    union
    select a.id, a.source_id, l.from_ref from asked a
    cross join links l on l.source_id = a.source_id and l.to_ref = a.ref and l.relation in ('merges', 'came_with') and l.to_source = ''
), wrote as materialized (
    select id, source_id, ref from made
    union
    select m.id, m.source_id, l.from_ref from made m
    cross join links l on l.source_id = m.source_id and l.to_ref = m.ref and l.relation = 'came_with' and l.to_source = ''
)
update temp.candidates set kind = 'change'
where kind = 'incident' and record_id in (
    select w.id from wrote w
    cross join links l on l.source_id = w.source_id and l.from_ref = w.ref and l.relation = 'touches' and l.to_source = ''
    group by w.id having min(is_document(substr(l.to_ref, 6)))
)
