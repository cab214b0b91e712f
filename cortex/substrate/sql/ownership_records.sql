-- ownership_records.sql: every line of the files that say who owns what, in the order of the files.
select
    s.name as source, r.source_id, r.ref, r.title, r.body, r.path, r.line_start as line, r.assignees, r.state, r.authority,
    coalesce((select f.handle from facts f where f.record_id = r.id order by f.id limit 1), r.ref) as handle
from records r
cross join sources s on s.id = r.source_id
where r.type = 'ownership' and r.gone_at is null and r.source_id in (select value from json_each(:sources))
order by s.name, r.path, r.line_start
