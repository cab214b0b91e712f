-- facts_naming.sql: facts of some kinds whose statements have one of these names in them, the latest first.
select f.id, f.statement
from facts f
cross join records r on r.id = f.record_id
where f.source_id in (select value from json_each(:sources)) and f.kind in (select value from json_each(:kinds))
  and r.gone_at is null and exists (select 1 from json_each(:names) n where instr(f.statement, n.value))
order by coalesce(f.end_ > r.vouched or r.vouched = 0, 0), f.valid_from desc, f.id desc
limit :limit
