-- restore_confidence.sql: what this run changed and no later one did gets its old confidence back.
update facts set confidence = b.confidence, corroboration = b.corroboration
from confidence_before b
where b.run_id = :run_id and b.handle = facts.handle
  and not exists (select 1 from temp.later l where l.handle = b.handle)
