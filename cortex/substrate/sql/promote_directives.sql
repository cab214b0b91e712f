-- promote_directives.sql: each rule, with the headings that say what it is about.
insert into temp.candidates (record_id, kind, statement, start, end_, confidence, valid_from, valid_until)
select
    r.id, 'directive',
    iif(r.title <> '', r.title || ': ', '') || plain(r.body),
    0, length(r.body), 1.0, coalesce(r.updated_at, r.created_at), null
from temp.due cross join records r on r.id = due.id
where due.type = 'directive' and plain(r.body) <> ''
