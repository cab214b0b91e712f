-- ownership_records.sql: every line of the files that say who owns what, in the order of the files.
select
    s.name as source, r.source_id, r.ref, r.title, r.body, r.path, r.line_start as line, r.assignees, r.state, r.authority,
    coalesce((select f.handle from facts f where f.record_id = r.id order by f.id limit 1), r.ref) as handle
from json_each(:sources) asked
cross join sources s on s.id = asked.value
cross join records r on r.source_id = s.id and r.type = 'ownership'
where r.gone_at is null
order by s.name, r.path, r.line_start
