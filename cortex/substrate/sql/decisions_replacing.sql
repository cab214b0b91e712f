-- decisions_replacing.sql: the files of decisions that replaced those with these numbers, or that these replaced, the latest
-- first: id, no fact.
with decided as (
    select source_id, ref from records
    where source_id in (select value from json_each(:sources)) and type = 'doc' and state <> ''
        and gone_at is null and instr(ref, '#') = 0
        and cast(ltrim(replace(lower(substr(path, length(rtrim(path, replace(path, '/', ''))) + 1)), 'adr', ''), '-_')
            as integer) in (select value from json_each(:numbers))
)
select distinct r.id, null
from decided d
join links l on l.source_id = d.source_id and l.relation = 'supersedes' and l.to_source = ''
    and d.ref = iif(:replaced, l.from_ref, l.to_ref)
join records r on r.source_id = l.source_id and r.ref = iif(:replaced, l.to_ref, l.from_ref) and r.gone_at is null
order by r.created_at desc, r.ref desc
