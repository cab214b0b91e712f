-- promote_project.sql: what a manifest, a workflow or a license states of its project.
insert into temp.candidates (record_id, kind, statement, start, end_, confidence, valid_from, valid_until)
select
    r.id,
    iif(json_extract(r.labels, '$[0]') in ('install', 'test', 'lint', 'build', 'build docs', 'release', 'security'), 'process', 'spec'),
    r.title || ' (' || r.path || coalesce(' line ' || r.line_start, '') || ')', 0, length(r.body), 0.95,
    coalesce(r.updated_at, r.created_at), null
from temp.due cross join records r on r.id = due.id
where due.type = 'project' and trim(r.body) <> ''
