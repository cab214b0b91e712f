-- drop_outdated_jobs.sql: jobs for a content its record no longer has, and for records that are gone.
delete from facts_queue
where source_id = :source_id
  and not exists (
    select 1 from records r
    where r.id = facts_queue.record_id and r.content_hash = facts_queue.content_hash
      and (r.gone_at is null or facts_queue.state = 'done')
)
