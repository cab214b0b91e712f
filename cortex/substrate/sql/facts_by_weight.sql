-- facts_by_weight.sql: those of the facts that stand, the weightiest first, then the earliest.
select f.id
from temp.meeting n
cross join facts f on f.id = n.fact_id
cross join records r on r.id = f.record_id
where f.source_id = :source_id and r.gone_at is null
order by f.authority desc, coalesce(f.valid_from, f.touched_at, '9999'), f.handle
