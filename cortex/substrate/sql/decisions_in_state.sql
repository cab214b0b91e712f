-- decisions_in_state.sql: the files of decisions that have one of these states, the latest first: id of the
-- part that tells the state where that is asked for, else of the file, no fact, type, when it
-- was made, its path and title, how it begins.
select coalesce(iif(:states = '[]', null, (
    select p.id from records p
    where p.source_id = r.source_id and p.path = r.path and p.type = 'doc' and p.gone_at is null and p.ref = r.ref || '#status'
)), r.id), null, r.type, coalesce(r.created_at, ''), r.path || ' ' || r.title, substr(r.body, 1, 400)
from records r
where r.source_id in (select value from json_each(:sources)) and r.type = 'doc' and r.state <> '' and instr(r.ref, '#') = 0
    and r.gone_at is null and (:states = '[]' or r.state in (select value from json_each(:states)))
    and (not :standing or not exists (
        select 1 from links l
        cross join records by_ on by_.source_id = l.source_id and by_.ref = l.from_ref
        where l.source_id = r.source_id and l.to_source = '' and l.to_ref = r.ref and l.relation = 'supersedes'
            and by_.type = 'doc' and by_.state in ('', 'accepted', 'active') and by_.gone_at is null
    ))
order by r.created_at desc, r.ref desc
