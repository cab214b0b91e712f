-- records_by_ref.sql: the record of a ref in each source that has one.
select
    s.name as source, r.id as record_id, r.source_id, r.type, r.ref, r.title, r.body, r.url, r.path as "path",
    r.line_start, r.line_end, r.author, r.state, r.labels, r.assignees, r.merged_by, r.created_at, r.updated_at,
    r.closed_at, r.merged_at, r.thread, r.authority, r.origin, exists (select 1 from unverified u where u.id = r.id) as unverified, r.gone_at,
    iif(r.origin in ('agents', 'remembered', 'outcomes'), r.association, '') as recorded_by
from records r
join sources s on s.id = r.source_id
where r.ref = :ref and r.source_id in (select value from json_each(:sources))
order by s.name
