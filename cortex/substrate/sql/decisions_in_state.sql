-- decisions_in_state.sql: the files of decisions that have one of these states, the latest first: id, no fact, type, when it
-- was made, its path and title, how it begins.
select r.id, null, r.type, coalesce(r.created_at, ''), r.path || ' ' || r.title, substr(r.body, 1, 400)
from records r
where r.source_id in (select value from json_each(:sources)) and r.type = 'doc' and r.state <> '' and instr(r.ref, '#') = 0
    and r.gone_at is null and (:states = '[]' or r.state in (select value from json_each(:states)))
order by r.created_at desc, r.ref desc
