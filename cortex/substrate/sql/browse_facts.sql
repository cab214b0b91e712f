-- browse_facts.sql: facts that stand, or those that were taken out, by what they are; the latest first.
select
    f.id, f.handle, f.kind, f.statement, f.authority, f.confidence, s.name as source, r.ref, r.title, r.url,
    f.valid_from as since, f.touched_at, null as archived_at, '' as reason, '' as merged_into, count(*) over () as total,
    coalesce(f.touched_at, f.valid_from, r.created_at, '') as latest
from facts f
join records r on r.id = f.record_id
join sources s on s.id = f.source_id
where not :archived
  and f.source_id in (select value from json_each(:sources))
  and (:kinds is null or f.kind in (select value from json_each(:kinds)))
  and f.authority >= :authority
  and (:since is null or coalesce(f.touched_at, f.valid_from, r.created_at) >= :since)
  and (:until is null or coalesce(f.touched_at, f.valid_from, r.created_at) <= :until)
  and (:words = '' or instr(lower(f.statement), lower(:words)) or r.ref = :words or f.handle = :words)
union all
select
    a.id, a.handle, a.kind, a.statement, a.authority, a.confidence, s.name, a.record_ref, '', '',
    a.valid_from, a.touched_at, a.archived_at, a.job || ': ' || a.reason, coalesce(a.merged_into, ''), count(*) over (),
    a.archived_at
from facts_archive a
join sources s on s.id = a.source_id
where :archived
  and a.source_id in (select value from json_each(:sources))
  and (:kinds is null or a.kind in (select value from json_each(:kinds)))
  and a.authority >= :authority
  and (:since is null or a.archived_at >= :since)
  and (:until is null or a.archived_at <= :until)
  and (:words = '' or instr(lower(a.statement), lower(:words)) or a.record_ref = :words or a.handle = :words)
order by latest desc, handle
limit :limit offset :offset
