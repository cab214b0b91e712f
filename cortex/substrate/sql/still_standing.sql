-- still_standing.sql: facts of what was taken back, or of an open row that another has replaced; beside what did so.
select f.handle, f.statement, n.handle, n.statement, l.relation, f.authority, n.authority
from links l
cross join records b on b.source_id = l.source_id and b.ref = iif(l.relation = 'superseded_by', l.to_ref, l.from_ref)
cross join records a on a.source_id = l.source_id and a.ref = iif(l.relation = 'superseded_by', l.from_ref, l.to_ref)
cross join facts f on f.record_id = a.id
cross join facts n on n.record_id = b.id
where l.source_id = :source_id and l.to_source = '' and l.relation in ('reverts', 'supersedes', 'superseded_by')
  and a.gone_at is null and b.gone_at is null and f.valid_until is null and n.valid_until is null and a.id <> b.id
  and a.type in ('pull', 'commit', 'issue', 'directive', 'doc') and b.type in ('pull', 'commit', 'directive', 'doc')
  and (b.type <> 'pull' or b.merged_at is not null)
  and iif(
    l.relation = 'reverts',
    b.type <> 'doc' and coalesce(b.merged_at, b.created_at, '9') >= coalesce(a.merged_at, a.created_at, ''),
    a.type <> 'commit' and a.state in ('open', 'accepted', '')
  )
  and f.kind not in ('ownership', 'cross_repo') and n.kind not in ('ownership', 'cross_repo')
  and not exists (
    select 1 from links again
    where again.source_id = l.source_id and again.to_ref = b.ref and again.relation = 'reverts' and again.to_source = ''
)
  and not exists (
    select 1 from links again
    cross join links n on n.source_id = again.source_id and n.from_ref = again.from_ref and n.relation = 'follows'
      and n.to_source = '' and n.to_ref = b.ref
    where again.source_id = l.source_id and again.to_ref = a.ref and again.relation = 'reapplies' and again.to_source = ''
)
group by a.id
order by f.handle
