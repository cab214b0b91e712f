-- drop_outdated_jobs.sql: jobs for a content its record no longer has.
delete from facts_queue
where source_id = :source_id
  and content_hash <> (select content_hash from records r where r.id = facts_queue.record_id)
