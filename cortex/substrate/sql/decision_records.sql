-- decision_records.sql: the files of decisions, with their status and what replaced them, the latest first.
select
    0 as id, r.id as record_id, r.source_id, r.ref as handle, 'decision' as kind, r.title as statement,
    substr(r.body, 1, 400) as excerpt, r.authority, 1.0 as confidence,
    s.name as source, r.ref, r.type, r.title, r.url, r.path, r.state, r.author, r.created_at as valid_from,
    null as valid_until, r.created_at, null as merged_at, null as closed_at, exists (select 1 from unverified u where u.id = r.id) as unverified,
    (
        select json_array(x.ref, coalesce(x.merged_at, x.created_at), l.relation)
        from links l
        cross join records x on x.source_id = l.source_id and x.ref = l.from_ref
        where l.source_id = r.source_id and l.to_source = '' and l.relation = 'supersedes' and l.to_ref = r.ref
        order by x.created_at
        limit 1
    ) as replaced,
    null as superseded_by
from records r
cross join sources s on s.id = r.source_id
where r.source_id in (select value from json_each(:sources)) and r.type = 'doc' and r.state <> ''
  and r.gone_at is null and instr(r.ref, '#') = 0
  and (:records is null or r.id in (select value from json_each(:records)))
order by r.created_at desc, r.ref desc
limit :limit
