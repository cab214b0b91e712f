-- retry_jobs.sql: jobs that failed or died are due at once, before any other.
update facts_queue set
    state = 'pending', attempts = 0, error = null, not_before = null, finished_at = null, abandoned = 0, priority = 1
where state in ('failed', 'dead')
  and (:sources is null or source_id in (
    select id from sources where name in (select value from json_each(:sources))
)) and (:refs is null or record_id in (select id from records where ref in (select value from json_each(:refs))))
