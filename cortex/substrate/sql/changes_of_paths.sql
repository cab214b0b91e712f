-- changes_of_paths.sql: the commits that touched files, or what is in folders, or the pull requests they were merged by,
-- the newest first or the oldest, each with the fact that tells it and how many there are.
with asked as materialized (
    select value as path from json_each(:paths)
), read as materialized (
    select value as id from json_each(:sources)
), touching as materialized (
    select l.source_id, l.from_ref as ref from asked cross join read cross join links l
    on l.source_id = read.id and l.to_source = '' and l.relation = 'touches' and l.to_ref = 'file:' || asked.path
    union
    select l.source_id, l.from_ref from asked cross join read cross join links l
    on l.source_id = read.id and l.to_source = '' and l.relation = 'touches'
      and l.to_ref > 'file:' || asked.path || '/' and l.to_ref < 'file:' || asked.path || '0'
), merging as materialized (
    select source_id, ref from touching
    union
    select t.source_id, l.to_ref from touching t cross join links l
    on l.source_id = t.source_id and l.from_ref = t.ref and l.relation = 'merges' and l.to_source = ''
    union
    select t.source_id, l.from_ref from touching t cross join links l
    on l.source_id = t.source_id and l.to_ref = t.ref and l.relation = 'merges' and l.to_source = ''
), changes as (
    select r.id, r.author, coalesce(r.merged_at, r.created_at) as day
    from merging m cross join records r on r.source_id = m.source_id and r.ref = m.ref
    where r.type = :type and r.gone_at is null and (r.type = 'commit' or r.merged_at is not null)
      and (:type = 'pull' or exists (select 1 from touching t where t.source_id = m.source_id and t.ref = m.ref))
)
select c.id, (
    select f.id from facts f where f.record_id = c.id and f.path = 'promotion' and f.kind <> 'cross_repo'
    order by iif(f.valid_until is null, 0, exists (select 1 from facts n where n.record_id = f.record_id and n.valid_from >= f.valid_until
            and n.id <> f.id and (n.start, n.end_) = (f.start, f.end_))), f.id limit 1
), count(*) over ()
from changes c
where (:as_of = '' or c.day <= :as_of) and (:since = '' or c.day >= :since) and (:until = '' or c.day < :until)
    and (:authors = '[]' or c.author in (select value from json_each(:authors)))
    and c.author not in (select value from json_each(:others))
order by iif(:oldest, c.day, null), c.day desc, c.id desc
limit :limit
