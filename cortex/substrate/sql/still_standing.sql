-- still_standing.sql: facts of what was taken back, or of an open row that another has replaced; beside what did so.
select f.handle, f.statement, n.handle, n.statement, l.state, f.authority, n.authority
from lineage l
cross join records a on a.id = l.record_id
cross join records b on b.id = l.by_record_id
cross join facts f on f.record_id = a.id
cross join facts n on n.record_id = b.id
where l.source_id = :source_id and l.until = '' and l.state in ('reverted', 'superseded') and a.id <> b.id
  and a.gone_at is null and b.gone_at is null and f.valid_until is null and n.valid_until is null
  and a.type in ('pull', 'commit', 'issue', 'directive', 'doc') and b.type in ('pull', 'commit', 'directive', 'doc')
  and (b.type <> 'pull' or b.merged_at is not null)
  and iif(l.state = 'reverted', b.type <> 'doc', a.type <> 'commit' and a.state in ('open', 'accepted', ''))
  and f.kind not in ('ownership', 'cross_repo') and n.kind not in ('ownership', 'cross_repo')
group by a.id
order by f.handle
