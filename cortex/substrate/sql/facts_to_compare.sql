-- facts_to_compare.sql: facts that near duplicates were never looked for, and what frames them.
select f.id, f.statement, f.excerpt, r.type, r.author, r.thread, f.valid_until is null
from facts f
cross join records r on r.id = f.record_id
where f.source_id = :source_id and r.gone_at is null
  and not exists (select 1 from compared c where c.fact_id = f.id)
