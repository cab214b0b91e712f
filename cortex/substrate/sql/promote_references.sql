-- promote_references.sql: what refers to another repository.
insert into temp.candidates (record_id, kind, statement, start, end_, confidence, valid_from, valid_until)
select
    r.id, 'cross_repo',
    iif(r.type = 'pull', 'PR #', 'Issue #') || substr(r.ref, instr(r.ref, ':') + 1) || ' "' || r.title || '"'
    || coalesce(' (' || substr(coalesce(r.merged_at, r.created_at), 1, 10) || iif(r.author <> '', ' by ' || r.author, '') || ')', '')
    || ' refers to ' || group_concat(l.to_source || iif(l.to_ref glob '#*', l.to_ref, ' ' || l.to_ref), ', '),
    0, title_end(r.title, r.body), 0.85, coalesce(r.merged_at, r.created_at), null
from temp.due
cross join records r on r.id = due.id
cross join links l on l.source_id = r.source_id and l.from_ref = r.ref and l.to_source <> ''
where r.type in ('pull', 'issue') and trim(r.title) <> ''
group by r.id
