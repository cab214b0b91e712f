-- uncount_confidence.sql: what later runs go back to counts no longer what was taken back.
update confidence_before set
    confidence = round(min(1.0, iif(
        confidence < 1.0, confidence - :worth * corroboration,
        coalesce((select f.base_confidence from facts f where f.handle = confidence_before.handle), 1.0)
    ) + :worth * max(0, corroboration - (
        select n.before - n.said from temp.recounting n where n.handle = confidence_before.handle
    ))), 6),
    corroboration = max(0, corroboration - (
        select n.before - n.said from temp.recounting n where n.handle = confidence_before.handle
    ))
where (fact_id, handle, run_id) in (
    select l.fact_id, l.handle, l.run_id
    from temp.recounting n cross join temp.later l on l.handle = n.handle and l.run_id > n.since
    where n.said <> n.before
)
