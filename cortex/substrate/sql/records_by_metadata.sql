-- records_by_metadata.sql: the newest records of a type with these states, people and labels, each with what it says of itself and
-- how many there are.
select r.id, (
    select f.id from facts f where f.record_id = r.id and f.path = 'promotion' and f.kind <> 'cross_repo' order by f.id limit 1
), count(*) over ()
from records r
where r.source_id in (select value from json_each(:sources))
    and r.type = :type
    and r.gone_at is null
    and (:as_of = '' or r.created_at <= :as_of)
    and (:states = '[]' or iif(:as_of <> '' and coalesce(r.merged_at, r.closed_at, '') > :as_of, 'open', r.state) in (
        select value from json_each(:states)
    ))
    and (:authors = '[]' or r.author in (select value from json_each(:authors)))
    and (:assignees = '[]' or exists (
        select 1 from json_each(r.assignees) a where a.value in (select value from json_each(:assignees))
    ))
    and (:labels = '[]' or exists (
        select 1 from json_each(r.labels) l where l.value in (select value from json_each(:labels))
    ))
    and (:day = '' or coalesce(r.merged_at, r.closed_at, r.created_at) glob :day || '*')
order by coalesce(r.merged_at, r.closed_at, r.created_at) desc
limit :limit;
