-- decision_records.sql: the files of decisions, with their status and what replaced them, the latest first; one that does not
-- tell its day is of the day it was committed.
with dated as materialized (
    select r.id, r.source_id, r.ref, coalesce(r.created_at, (
        select min(t.created_at) from links l
        cross join records t on t.source_id = l.source_id and t.ref = l.from_ref
        where l.source_id = r.source_id and l.to_source = '' and l.to_ref = 'file:' || r.path and l.relation = 'touches'
    )) as day
    from records r
    where r.source_id in (select value from json_each(:sources)) and r.type = 'doc' and r.state <> ''
      and r.gone_at is null and instr(r.ref, '#') = 0
)
select
    0 as id, r.id as record_id, r.source_id, r.ref as handle, 'decision' as kind, r.title as statement,
    substr(r.body, 1, 400) as excerpt, r.authority, 1.0 as confidence,
    s.name as source, r.ref, r.type, r.title, r.url, r.path, r.state, r.author, d.day as valid_from,
    null as valid_until, d.day as created_at, null as merged_at, null as closed_at,
    exists (select 1 from unverified u where u.id = r.id) as unverified,
    (
        select json_array(x.ref, coalesce(x.merged_at, x.created_at, o.day), l.relation)
        from links l
        cross join records x on x.source_id = l.source_id and x.ref = l.from_ref
        left join dated o on o.id = x.id
        where l.source_id = r.source_id and l.to_source = '' and l.relation = 'supersedes' and l.to_ref = r.ref
        order by coalesce(x.created_at, o.day)
        limit 1
    ) as replaced
from dated d
cross join records r on r.id = d.id
cross join sources s on s.id = r.source_id
where :records is null or r.id in (select value from json_each(:records))
order by d.day desc, r.ref desc
limit :limit
