-- said_since.sql: what was said in the thread of the comment :id: after it, in order.
select r.body
from records c
join records r on r.source_id = c.source_id and r.thread = c.thread and r.thread <> '' and +r.type = 'comment'
where c.id = :id and r.gone_at is null and (r.created_at, r.id) > (c.created_at, c.id)
    and (:as_of = '' or r.created_at <= :as_of)
order by r.created_at, r.id
