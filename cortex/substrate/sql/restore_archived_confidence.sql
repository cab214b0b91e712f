-- restore_archived_confidence.sql: what this run changed and a later one put away goes back to its old confidence where it lies.
update facts_archive set confidence = b.confidence, corroboration = b.corroboration
from confidence_before b
where b.run_id = :run_id and b.handle = facts_archive.handle and facts_archive.run_id > :run_id
  and not exists (select 1 from temp.later l where l.handle = b.handle and l.run_id <= facts_archive.run_id)
