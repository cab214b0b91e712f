-- enqueue.sql: one job per record and content; a record edited back to what it was is due again.
insert into facts_queue (source_id, record_id, content_hash, path, enqueued_at)
values (:source_id, :record_id, :content_hash, :path, :now)
on conflict (source_id, record_id, content_hash) do update set
    state = 'pending', attempts = 0, not_before = null, error = null, enqueued_at = excluded.enqueued_at, finished_at = null
