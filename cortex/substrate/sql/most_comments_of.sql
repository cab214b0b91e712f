-- most_comments_of.sql: what the one who commented most on these threads said there, the first first, and how often that
-- was; nothing where two did.
with said as materialized (
    select r.id, r.created_at, r.author, count(*) over (partition by r.author) as often
    from json_each(:sources) s
    cross join json_each(:refs) asked
    cross join records r on r.source_id = s.value and r.thread = asked.value and r.thread <> ''
    where r.type = 'comment' and r.author <> '' and r.gone_at is null and (:as_of = '' or r.created_at <= :as_of)
)
select id, null, often
from said
where often = (select max(often) from said)
    and (select count(distinct author) from said where often = (select max(often) from said)) = 1
order by created_at, id
limit :limit
