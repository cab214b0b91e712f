-- promote_links.sql: what fixed, reverted, replaced or doubled what.
insert into temp.candidates (record_id, kind, statement, start, end_, confidence, valid_from, valid_until)
select
    r.id,
    iif(l.relation = 'reverts', 'incident', kind_of(r.type, r.title, r.labels, r.path)),
    iif(r.type = 'commit', 'Commit ' || substr(r.ref, 8), iif(r.type = 'pull', 'PR #', 'Issue #') || substr(r.ref, instr(r.ref, ':') + 1))
    || ' "' || r.title || '"'
    || coalesce(' (' || iif(r.merged_at is not null, 'merged ', '') || substr(coalesce(r.merged_at, r.created_at), 1, 10)
        || iif(r.author <> '', ' by ' || r.author, '') || ')', '')
    || case l.relation
        when 'fixes' then iif(r.merged_at is not null or r.type = 'commit', ' fixed ', ' would fix ')
        when 'reverts' then ' reverted '
        when 'supersedes' then ' replaces '
        else ' is a duplicate of '
    end
    || case t.type when 'pull' then 'PR #' || substr(t.ref, 6) when 'issue' then 'issue #' || substr(t.ref, 7) else t.ref end
    || ' "' || t.title || '"',
    0, title_end(r.title, r.body), 0.9, coalesce(r.merged_at, r.created_at), null
from temp.due
cross join records r on r.id = due.id
cross join links l on l.source_id = r.source_id and l.from_ref = r.ref and l.to_source = ''
cross join records t on t.source_id = l.source_id and t.ref = l.to_ref
where l.relation in ('fixes', 'reverts', 'supersedes', 'duplicates')
  and r.type in ('pull', 'issue', 'commit') and t.type in ('pull', 'issue', 'commit') and trim(r.title) <> ''
  and (r.type <> 'commit' or not exists (
    select 1 from links m where m.source_id = r.source_id and m.from_ref = r.ref and m.relation = 'merges'
))
