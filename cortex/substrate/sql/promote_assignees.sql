-- promote_assignees.sql: who has taken an issue or a pull request on.
insert into temp.candidates (record_id, kind, statement, start, end_, confidence, valid_from, valid_until)
select
    r.id, 'ownership',
    iif(due.type = 'pull', 'PR #', 'Issue #') || substr(r.ref, instr(r.ref, ':') + 1) || ' "' || trim(r.title) || '" '
    || iif(r.state = 'open', 'is', 'was') || ' assigned to ' || names(r.assignees),
    0, title_end(r.title, r.body), 0.9, r.created_at, r.closed_at
from temp.due cross join records r on r.id = due.id
where due.type in ('issue', 'pull') and r.assignees <> '[]' and trim(r.title) <> ''
