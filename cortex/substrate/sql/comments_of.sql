-- comments_of.sql: the comments of these threads, the first or the last first, with :each only the first of everybody,
-- and how many there are.
with said as (
    select r.id, r.created_at, row_number() over (partition by r.author order by r.created_at, r.id) as place
    from json_each(:sources) s
    cross join json_each(:refs) asked
    cross join records r on r.source_id = s.value and r.thread = asked.value and r.thread <> ''
    where r.type = 'comment' and r.gone_at is null and (:as_of = '' or r.created_at <= :as_of)
)
select id, null, count(*) over ()
from said
where not :each or place = 1
order by iif(:oldest, created_at, null), created_at desc, id
limit :limit
