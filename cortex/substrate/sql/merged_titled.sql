-- merged_titled.sql: the merged pull requests whose titles an expression matches, the latest first.
select r.id, r.title
from records_fts
cross join passages p on p.id = records_fts.rowid
cross join records r on r.id = p.record_id
where records_fts match :match and r.type = 'pull' and r.merged_at is not null and r.gone_at is null
    and p.source_id in (select value from json_each(:sources)) and (:as_of = '' or r.merged_at <= :as_of)
group by r.id
order by r.merged_at desc
