-- named_decisions.sql: the rules and parts of the decision records whose files begin with these numbers, the rules first.
with decided as (
    select source_id, path from records
    where source_id in (select value from json_each(:sources)) and type = 'doc' and state <> ''
        and gone_at is null and instr(ref, '#') = 0
        and cast(ltrim(replace(lower(substr(path, length(rtrim(path, replace(path, '/', ''))) + 1)), 'adr', ''), '-_')
            as integer) in (select value from json_each(:numbers))
)
select r.id, (
    select f.id from facts f where f.record_id = r.id and f.path = 'promotion' and f.kind <> 'cross_repo' order by f.id limit 1
)
from decided d
join records r on r.source_id = d.source_id and r.path = d.path and r.gone_at is null
order by r.type <> 'directive', r.id
