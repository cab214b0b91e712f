-- promote_ownership.sql: who owns a path, as the ownership file says it.
insert into temp.candidates (record_id, kind, statement, start, end_, confidence, valid_from, valid_until)
select
    r.id, 'ownership',
    iif(
        r.assignees <> '[]',
        replace(r.title, ' › ', ': ') || ' is owned by '
        || (select group_concat(value, ', ') from json_each(r.assignees)),
        r.title || ': ' || plain(r.body)
    ) || ' (' || r.path || coalesce(' line ' || r.line_start, '') || ')',
    0, length(r.body), 0.95, coalesce(r.updated_at, r.created_at), null
from temp.due cross join records r on r.id = due.id
where r.type = 'ownership' and trim(r.body) <> ''
