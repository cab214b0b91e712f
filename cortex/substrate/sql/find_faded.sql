-- find_faded.sql: facts whose confidence is not what their age makes of it.
insert into temp.faded (fact_id, confidence, before, base_confidence, touched_at)
select id, aged, confidence, base_confidence, touched_at
from (
    select f.id, f.confidence, f.base_confidence, f.touched_at, round(min(1.0, f.base_confidence * iif(
        f.kind = 'directive' or coalesce(f.touched_at, '') = '', 1.0,
        coalesce((select a.share from temp.ages a where a.moment >= substr(f.touched_at, 1, 19) order by a.moment limit 1), 1.0)
    ) + :worth * f.corroboration), 6) as aged
    from facts f
    where f.source_id = :source_id
)
where abs(aged - confidence) > 0.000001
