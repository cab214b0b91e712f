-- decisions.sql: facts that state what a merged pull request or a commit did, as its title says it, the earliest first.
select
    f.handle, f.statement, f.authority, coalesce(r.merged_at, r.created_at, '') as at, trim(r.title) as title, r.ref,
    r.author
from facts f
cross join records r on r.id = f.record_id
where f.source_id = :source_id and f.path = 'promotion' and f.valid_until is null and r.gone_at is null
  and (r.type = 'commit' or r.type = 'pull' and r.merged_at is not null)
  and substr(f.statement, -length(trim(r.title))) = trim(r.title)
order by at, r.ref
