-- workers_on.sql: who wrote the commits among some records, most first, with the latest of each.
select
    r.author, s.name as source, count(*) as changes, max(coalesce(r.created_at, '')) as latest, r.ref, r.authority
from json_each(:records) c
cross join records r on r.id = c.value
cross join sources s on s.id = r.source_id
where r.type = 'commit' and r.author <> ''
group by r.author, s.name
order by changes desc, latest desc
limit :limit
