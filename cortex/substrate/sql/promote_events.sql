-- promote_events.sql: what somebody asked to be remembered, with who said it and where.
insert into temp.candidates (record_id, kind, statement, start, end_, confidence, valid_from, valid_until)
select
    r.id, kind_of_words(r.body), r.title || ': ' || plain(r.body), 0, length(r.body), 0.8,
    coalesce(r.updated_at, r.created_at), null
from temp.due cross join records r on r.id = due.id
where due.type = 'event' and plain(r.body) <> ''
