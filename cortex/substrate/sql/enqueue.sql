-- enqueue.sql: one job per record and content; a record edited back to what it was is due again. What was remembered is
-- a statement already: it is promoted as it is.
insert into facts_queue (source_id, record_id, content_hash, path, enqueued_at)
select :source_id, :record_id, :content_hash, :path, :now
where not exists (select 1 from records where id = :record_id and origin in ('remembered', 'agents'))
on conflict (source_id, record_id, content_hash) do update set
    state = 'pending', attempts = 0, not_before = null, error = null, enqueued_at = excluded.enqueued_at,
    finished_at = null, lease_owner = null, lease_until = null, abandoned = 0
