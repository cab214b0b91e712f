-- renumbered.sql: the fact that says in the same file what one said that was taken out: a rule or a line that moved up or down.
select f.handle, f.source_id
from facts_archive a
cross join records r on r.source_id = a.source_id
  and r.ref > substr(a.record_ref, 1, instr(a.record_ref, '#'))
  and r.ref < substr(a.record_ref, 1, instr(a.record_ref, '#') - 1) || '$'
cross join facts f on f.record_id = r.id
where a.handle = :handle and a.source_id in (select value from json_each(:sources)) and a.merged_into is null
  and a.record_ref glob '*#[0-9]*' and r.type in ('directive', 'ownership') and r.gone_at is null
  and f.excerpt = a.excerpt and f.kind = a.kind
order by f.statement = a.statement desc, a.id desc, r.line_start
limit 1
