-- promote_issues.sql: what an issue is about, and where it stands; of a typo and the like there is no fact.
insert into temp.candidates (record_id, kind, statement, start, end_, confidence, valid_from, valid_until)
select
    r.id,
    kind_of(r.type, r.title, r.labels, r.state, r.body),
    'Issue #' || substr(r.ref, 7) || ' ('
    || iif(
        r.state = 'open',
        'open since ' || coalesce(substr(r.created_at, 1, 10), 'an unknown day'),
        iif(r.state = '', 'state unknown', r.state) || coalesce(iif(r.state glob '* as *', ' on ', ' ') || substr(r.closed_at, 1, 10), '')
            || iif(r.closed_by <> '', ' by ' || r.closed_by, '')
    )
    || iif(r.author <> '', ', reported by ' || r.author, '')
    || iif(r.labels <> '[]', labelled(r.labels), '')
    || '): ' || trim(r.title),
    0, title_end(r.title, r.body), 0.95, r.created_at, null
from temp.due cross join records r on r.id = due.id
where due.type = 'issue' and trim(r.title) <> '' and not is_trivial(r.title, r.author)
