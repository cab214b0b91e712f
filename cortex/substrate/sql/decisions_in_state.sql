-- decisions_in_state.sql: the files of decisions that have one of these states and are of these days, by
-- what these begin with, the latest first, and how many there are.
select r.id, null, count(*) over ()
from records r
where r.source_id in (select value from json_each(:sources)) and r.type = 'doc' and r.state <> '' and instr(r.ref, '#') = 0
    and r.gone_at is null and (:states = '[]' or r.state in (select value from json_each(:states)))
    and (:days = '[]' or exists (select 1 from json_each(:days) d where r.created_at glob d.value || '*'))
order by r.created_at desc, r.ref desc
limit :limit
