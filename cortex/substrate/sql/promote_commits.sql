-- promote_commits.sql: commits that came without a pull request; the others are told by theirs.
insert into temp.candidates (record_id, kind, statement, start, end_, confidence, valid_from, valid_until)
select
    r.id,
    kind_of(r.type, r.title, r.labels, r.path),
    'Commit ' || substr(r.ref, 8) || ' ('
    || coalesce(substr(r.created_at, 1, 10), 'undated') || iif(r.author <> '', ' by ' || r.author, '') || '): ' || r.title,
    0, title_end(r.title, r.body), 0.85, r.created_at, null
from temp.due cross join records r on r.id = due.id
where r.type = 'commit' and trim(r.title) <> ''
  and not exists (
    select 1 from links l cross join records p on p.source_id = l.source_id and p.ref = l.to_ref
    where l.source_id = r.source_id and l.from_ref = r.ref and l.relation = 'merges' and p.type = 'pull'
)
