-- most_spoken_of.sql: the pull request in which most is said that an expression matches, whether it was merged, and in how
-- many passages it is.
select h.id, h.merged_at is not null and (:as_of = '' or h.merged_at <= :as_of), count(*)
from records_fts
cross join passages p on p.id = records_fts.rowid
cross join records r on r.id = p.record_id
cross join records h on h.source_id = r.source_id and h.ref = coalesce(nullif(r.thread, ''), r.ref)
where records_fts match :match and r.type in ('pull', 'comment') and h.type = 'pull' and h.gone_at is null
    and p.source_id in (select value from json_each(:sources)) and (:as_of = '' or r.created_at <= :as_of)
group by h.id
order by count(*) desc
limit 1
