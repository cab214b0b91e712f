-- drop_jobs.sql: jobs that are not through are forgotten; only dead ones where none is named.
delete from facts_queue
where (state = 'dead' or :refs is not null and state in ('pending', 'failed'))
  and (:sources is null or source_id in (
    select id from sources where name in (select value from json_each(:sources))
)) and (:refs is null or record_id in (select id from records where ref in (select value from json_each(:refs))))
