-- project_records.sql: what these sources state of the properties :named, in the order of their files and lines.
select r.id, r.source_id, json_extract(r.labels, '$[0]') as property, coalesce(json_extract(r.labels, '$[1]'), '') as of, r.title, r.path, r.line_start
from json_each(:sources) s
cross join records r on r.source_id = s.value and r.type = 'project' and r.gone_at is null
where json_extract(r.labels, '$[0]') in (select value from json_each(:named))
order by r.source_id, r.path, r.line_start, r.id
