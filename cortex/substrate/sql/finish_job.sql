-- finish_job.sql: done, with what it made.
update facts_queue set
    state = 'done', finished_at = :now, attempts = attempts + 1,
    produced = (select count(*) from facts f where f.record_id = facts_queue.record_id)
where id = :id
