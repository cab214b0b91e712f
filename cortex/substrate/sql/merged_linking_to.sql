-- merged_linking_to.sql: the merged pull requests and the commits that have a :relation to the record :ref, until :as_of
-- where it is given, the latest first.
select distinct r.id, r.source_id, r.ref, r.title, 'merged', coalesce(r.merged_at, r.created_at, '') as end_, r.author
from links l
cross join records r on r.source_id = l.source_id and r.ref = l.from_ref
where l.source_id = :source_id and l.to_ref = :ref and l.relation = :relation and l.to_source = ''
  and r.gone_at is null and (r.type = 'commit' or r.merged_at is not null)
  and (:as_of = '' or coalesce(r.merged_at, r.created_at) <= :as_of)
order by end_ desc
