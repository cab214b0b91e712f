-- workers_on.sql: who wrote the commits that changed files, or what is in folders, up to a day, most first, with the latest.
with asked as materialized (
    select rtrim(value, '/') as path from json_each(:paths) where rtrim(value, '/') <> ''
), touching as materialized (
    select l.source_id, l.from_ref as ref from json_each(:sources) s cross join asked
    cross join links l on l.source_id = s.value and l.to_source = '' and l.relation = 'touches' and l.to_ref = 'file:' || asked.path
    union
    select l.source_id, l.from_ref from json_each(:sources) s cross join asked
    cross join links l on l.source_id = s.value and l.to_source = '' and l.relation = 'touches'
      and l.to_ref > 'file:' || asked.path || '/' and l.to_ref < 'file:' || asked.path || '0'
)
select r.author, s.name as source, count(*) as changes, max(coalesce(r.created_at, '')) as latest, r.ref, r.authority
from touching t
cross join records r on r.source_id = t.source_id and r.ref = t.ref
cross join sources s on s.id = r.source_id
where r.type = 'commit' and r.author <> '' and r.gone_at is null and coalesce(r.created_at, '') <= :until
group by r.author, s.name
order by changes desc, latest desc
limit :limit
