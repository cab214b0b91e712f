-- pulls_titled.sql: the pull requests whose titles an expression matches, as they stood at :as_of where it is given, the
-- latest first.
select
    r.id, r.source_id, r.ref, r.title,
    case
        when r.merged_at is not null and (:as_of = '' or r.merged_at <= :as_of) then 'merged'
        when r.closed_at is not null and (:as_of = '' or r.closed_at <= :as_of) then 'closed'
        else 'open'
    end,
    iif(r.merged_at is not null and (:as_of = '' or r.merged_at <= :as_of), r.merged_at, coalesce(r.created_at, '')) as end_, r.author
from records_fts
cross join passages p on p.id = records_fts.rowid
cross join records r on r.id = p.record_id
where records_fts match :match and r.type = 'pull' and r.gone_at is null
    and p.source_id in (select value from json_each(:sources)) and (:as_of = '' or r.created_at <= :as_of)
group by r.id
order by end_ desc
