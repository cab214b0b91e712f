-- hand_on_confidence.sql: where a later run changed it again, that run now goes back to what was before this one.
update confidence_before set (confidence, corroboration) = (
    select n.confidence, n.corroboration from temp.handed n where n.handle = confidence_before.handle
)
where (fact_id, handle, run_id) in (
    select l.fact_id, l.handle, l.run_id
    from temp.handed n cross join temp.later l on l.handle = n.handle
    where not exists (select 1 from temp.later m where m.handle = l.handle and m.run_id < l.run_id)
)
