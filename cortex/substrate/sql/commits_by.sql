-- commits_by.sql: the last commits, or the first, of these authors or of anybody, each with the fact that tells where it stands,
-- and no count. Which was the first is known of a git history alone that was read as a whole.
select r.id, (
    select f.id from facts f where f.record_id = r.id and f.path = 'promotion' and f.kind <> 'cross_repo' order by f.id limit 1
)
from records r
where r.source_id in (select value from json_each(:sources)) and r.type = 'commit' and r.gone_at is null
    and (:as_of = '' or r.created_at <= :as_of)
    and (:authors = '[]' or lower(r.author) in (select value from json_each(:authors)))
    and (not :oldest or (r.origin = 'git' and not exists (
        select 1 from cursors c where c.source_id = r.source_id and c.connector = 'git' and c.skipped <> '[]'
    )))
order by iif(:oldest, r.created_at, null), r.created_at desc, iif(:oldest, -r.id, r.id)
limit :limit
