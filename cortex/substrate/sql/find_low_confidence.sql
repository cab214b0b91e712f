-- find_low_confidence.sql: facts that few would bet on, as old as they are now.
insert into temp.leaving (fact_id, reason)
select id, 'confidence ' || round(least, 2) || ' is below ' || :threshold
from (
    select f.id, min(f.confidence, faded(f.kind, f.base_confidence, f.corroboration, f.touched_at, :now)) as least
    from facts f
    where f.source_id = :source_id
)
where least < :threshold
