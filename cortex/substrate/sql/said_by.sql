-- said_by.sql: what somebody wrote in threads and noted of outcomes, the latest first, and whether a fact says that it
-- decides something.
select r.id, r.body, r.type = 'outcome' or exists (
    select 1 from facts f where f.record_id = r.id and f.kind = 'decision' and f.path <> 'promotion'
)
from records r
where r.source_id in (select value from json_each(:sources)) and r.type in ('comment', 'outcome') and r.gone_at is null
    and lower(r.author) = :who and (:as_of = '' or r.created_at <= :as_of)
order by r.created_at desc, r.id desc
limit 500
