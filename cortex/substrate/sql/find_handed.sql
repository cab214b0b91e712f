-- find_handed.sql: what this run changed and a later one did again, as it was before this one.
insert or ignore into temp.handed (handle, confidence, corroboration)
select b.handle, b.confidence, b.corroboration
from confidence_before b
where b.run_id = :run_id and exists (select 1 from temp.later l where l.handle = b.handle)
