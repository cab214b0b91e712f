-- promote_ownership.sql: who owns a path, as the ownership file says it; a path of CODEOWNERS may be nobody's.
insert into temp.candidates (record_id, kind, statement, start, end_, confidence, valid_from, valid_until)
select
    r.id, 'ownership',
    iif(
        r.assignees <> '[]' or r.path = 'CODEOWNERS' or r.path like '%/CODEOWNERS',
        owned(r.title, r.assignees, s.name),
        iif(r.title <> '', r.title || ': ', '') || plain(r.body)
    ) || iif(r.path <> '', ' (' || r.path || coalesce(' line ' || r.line_start, '') || ')', ''),
    0, length(r.body), 0.95, coalesce(r.updated_at, r.created_at), null
from temp.due cross join records r on r.id = due.id cross join sources s on s.id = r.source_id
where due.type = 'ownership' and trim(r.body) <> ''
