-- keep_confidence.sql: what the facts at hand were before this run; the first of its jobs to change one says so.
insert or ignore into confidence_before (run_id, fact_id, handle, confidence, corroboration)
select :run_id, f.id, f.handle, f.confidence, f.corroboration
from temp.fading n
cross join facts f on f.id = n.fact_id
