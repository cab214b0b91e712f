-- hand_on_confidence.sql: where a later run changed it again, that run now goes back to what was before this one.
update confidence_before set (confidence, corroboration) = (b.confidence, b.corroboration)
from confidence_before b
where b.run_id = :run_id and confidence_before.fact_id = b.fact_id and confidence_before.handle = b.handle
  and confidence_before.run_id = (
    select min(l.run_id) from confidence_before l
    where l.fact_id = b.fact_id and l.handle = b.handle and l.run_id > :run_id
)
