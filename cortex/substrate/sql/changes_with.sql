-- changes_with.sql: the commits and the merged pull requests with a passage that an expression matches, the latest first,
-- as they stood at :as_of where it is given, each with how its text begins below its title.
select r.id, r.source_id, r.title, coalesce(r.merged_at, r.created_at, '') as end_, substr(r.body, length(r.title) + 1, 1000)
from records_fts
cross join passages p on p.id = records_fts.rowid
cross join records r on r.id = p.record_id
where records_fts match :match and r.gone_at is null and (r.type = 'commit' or (r.type = 'pull' and r.merged_at is not null))
    and p.source_id in (select value from json_each(:sources))
    and (:as_of = '' or coalesce(r.merged_at, r.created_at) <= :as_of)
group by r.id
order by end_ desc, r.type desc
