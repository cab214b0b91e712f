-- said_in_threads.sql: what these people wrote in these issues and pull requests, in its order.
select record_id from (
    select r.id as record_id, r.created_at
    from json_each(:sources) s
    cross join json_each(:refs) asked
    cross join records r on r.source_id = s.value and r.thread = asked.value and r.thread <> ''
    where r.type = 'comment' and r.gone_at is null and (:as_of = '' or r.created_at <= :as_of)
        and lower(r.author) in (select value from json_each(:authors))
    union all
    select r.id, r.created_at
    from json_each(:sources) s
    cross join json_each(:refs) asked
    cross join records r on r.source_id = s.value and r.ref = asked.value
    where r.gone_at is null and (:as_of = '' or r.created_at <= :as_of)
        and lower(r.author) in (select value from json_each(:authors))
)
order by created_at, record_id
