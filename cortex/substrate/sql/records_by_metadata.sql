-- records_by_metadata.sql: the newest records of a type with these states, people and labels, each with what it says of
-- itself and how many there are. A state may say why: 'closed as duplicate'.
with found as (
    select
        r.*,
        iif(:as_of <> '' and coalesce(r.merged_at, r.closed_at, '') > :as_of, 'open', r.state) as stood,
        case :dated
            when 'created' then r.created_at
            when 'merged' then r.merged_at
            when 'closed' then r.closed_at
            else coalesce(r.merged_at, r.closed_at, r.created_at)
        end as day
    from records r
    where r.source_id in (select value from json_each(:sources)) and r.type = :type and r.gone_at is null
)
select r.id, (
    select f.id from facts f where f.record_id = r.id and f.path = 'promotion' and f.kind <> 'cross_repo' order by f.id limit 1
), count(*) over ()
from found r
where (:as_of = '' or r.created_at <= :as_of)
    and (:states = '[]' or exists (
        select 1 from json_each(:states) s where r.stood = s.value or r.stood glob s.value || ' *'
    ))
    and (not :reverted or exists (
        select 1 from links l
        join records v on v.source_id = l.source_id and v.ref = l.from_ref
        where l.source_id = r.source_id and l.to_ref = r.ref and l.to_source = '' and l.relation = 'reverts'
            and v.gone_at is null and (v.type = 'commit' or v.merged_at is not null)
            and not exists (
                select 1 from links b
                cross join records w on w.source_id = b.source_id and w.ref = b.from_ref
                where b.source_id = l.source_id and b.to_source = '' and b.to_ref = l.to_ref and b.relation = 'reapplies'
                  and w.gone_at is null and (w.type = 'commit' or w.merged_at is not null)
                  and coalesce(w.merged_at, w.created_at) >= coalesce(v.merged_at, v.created_at)
            )
    ))
    and (:created = '[]' or r.author in (select value from json_each(:created)))
    and (:merged = '[]' or r.merged_by in (select value from json_each(:merged)))
    and (:closed = '[]' or r.closed_by in (select value from json_each(:closed)))
    and (:assigned = '[]' or exists (
        select 1 from json_each(r.assignees) a where a.value in (select value from json_each(:assigned))
    ))
    and (:labels = '[]' or exists (
        select 1 from json_each(r.labels) l where l.value in (select value from json_each(:labels))
    ))
    and (:day = '' or r.day glob :day || '*')
order by r.day desc
limit :limit;
