-- named_later.sql: what the records called :ids tell of that was not there yet at :as_of: id, ref and title of the record, the
-- ref of what it names, and whether that was made later; else it was only merged or closed later, or not yet. An empty ref
-- stands for what has replaced the record since. A commit's message stays as it was.
select r.id, r.ref, r.title, l.to_ref, t.created_at > :as_of
from json_each(:ids) asked
cross join records r on r.id = asked.value and r.type <> 'commit'
cross join links l on l.source_id = r.source_id and l.from_ref = r.ref and l.to_source = ''
cross join records t on t.source_id = l.source_id and t.ref = l.to_ref and t.type in ('issue', 'pull')
where coalesce(t.merged_at, t.closed_at, :as_of || '~') > :as_of
union
select r.id, r.ref, r.title, '', 1
from json_each(:ids) asked
cross join records r on r.id = asked.value and r.type in ('doc', 'directive')
cross join links l on l.source_id = r.source_id and l.to_ref in (r.ref, 'doc:' || r.path) and l.relation = 'supersedes'
    and l.to_source = ''
cross join records by_ on by_.source_id = l.source_id and by_.ref = l.from_ref
where coalesce(by_.merged_at, by_.created_at, (
    select min(t.created_at) from links k
    cross join records t on t.source_id = k.source_id and t.ref = k.from_ref
    where k.source_id = by_.source_id and k.to_source = '' and k.to_ref = 'file:' || by_.path and k.relation = 'touches'
)) > :as_of
