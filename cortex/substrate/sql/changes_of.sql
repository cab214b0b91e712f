-- changes_of.sql: what some records change, or what is changed of all that the stems name, the latest first.
select c.source_id, c.record_id, r.ref, c.op, c.subject, c.old, c.new, c.scope, c.certainty, c.day, c.target_ref, o.id
from changes c
cross join records r on r.id = c.record_id and r.gone_at is null
left join records o on o.source_id = c.source_id and o.ref = c.target_ref and c.target_ref <> ''
where (:records is null or c.record_id in (select value from json_each(:records)))
    and (:sources is null or c.source_id in (select value from json_each(:sources)))
    and not exists (select 1 from json_each(:stems) s where instr(c.stems, ' ' || s.value || ' ') = 0)
    and (:as_of = '' or substr(c.day, 1, length(:as_of)) <= :as_of)
    and (c.target_ref <> '' or not exists ( -- which tells the same with the record that it is of
        select 1 from changes n
        where n.record_id = c.record_id and n.op = c.op and n.target_ref <> ''
            and (n.op in ('reverts', 'relands') or n.subject = c.subject)
    ))
order by c.day desc, c.record_id, c.rowid
limit :limit
