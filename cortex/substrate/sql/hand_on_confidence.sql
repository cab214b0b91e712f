-- hand_on_confidence.sql: where a later run changed it again, that run now goes back to what was before this one.
update confidence_before set (confidence, corroboration) = (
    select b.confidence, b.corroboration from confidence_before b
    where b.run_id = :run_id and b.fact_id = confidence_before.fact_id
)
where run_id > :run_id
  and fact_id in (select fact_id from confidence_before where run_id = :run_id)
  and run_id = (
    select min(l.run_id) from confidence_before l where l.fact_id = confidence_before.fact_id and l.run_id > :run_id
)
