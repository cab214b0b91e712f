-- find_faded.sql: facts whose confidence is not what their age makes of it.
insert into temp.fading (fact_id, confidence)
select id, aged
from (
    select f.id, f.confidence, faded(f.kind, f.base_confidence, f.corroboration, f.touched_at, :now) as aged
    from facts f
    where f.source_id = :source_id
)
where abs(aged - confidence) > 0.000001
