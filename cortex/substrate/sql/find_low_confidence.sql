-- find_low_confidence.sql: facts that few would bet on, as old as they are now; every one, or those that were just revived.
insert into temp.leaving (fact_id, reason)
select id, 'confidence ' || iif(round(least, 2) < :threshold, round(least, 2), least) || ' is below ' || :threshold
from (
    select f.id, min(f.confidence, round(min(1.0, f.base_confidence * iif(
        f.kind = 'directive' or coalesce(f.touched_at, '') = '', 1.0,
        coalesce((select a.share from temp.ages a where a.moment >= substr(f.touched_at, 1, 19) order by a.moment limit 1), 1.0)
    ) + :worth * f.corroboration), 6)) as least
    from facts f
    where f.source_id = :source_id and (:every or f.handle in (select handle from temp.reviving))
)
where least < :threshold
