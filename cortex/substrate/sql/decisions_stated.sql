-- decisions_stated.sql: of the decisions with these numbers the part of the file that tells the status, else its beginning:
-- id, no fact.
select coalesce((
    select p.id from records p
    where p.source_id = r.source_id and p.path = r.path and p.type = 'doc' and p.gone_at is null and p.ref = r.ref || '#status'
), r.id), null
from records r
where r.source_id in (select value from json_each(:sources)) and r.type = 'doc' and r.state <> ''
    and r.gone_at is null and instr(r.ref, '#') = 0
    and cast(ltrim(replace(lower(substr(r.path, length(rtrim(r.path, replace(r.path, '/', ''))) + 1)), 'adr', ''), '-_')
        as integer) in (select value from json_each(:numbers))
order by r.created_at desc, r.ref desc
