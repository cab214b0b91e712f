-- linked_with.sql: the issues, pull requests, commits and documents that a link joins with these threads, in either way,
-- the latest first, each with the fact that tells where it stands, and how many there are.
with joined as materialized (
    select l.source_id, l.from_ref as ref
    from json_each(:sources) s cross join json_each(:refs) asked cross join links l
    on l.source_id = s.value and l.to_ref = asked.value and l.to_source = ''
    union
    select l.source_id, l.to_ref
    from json_each(:sources) s cross join json_each(:refs) asked cross join links l
    on l.source_id = s.value and l.from_ref = asked.value and l.to_source = ''
), threads as materialized (
    select j.source_id, iif(r.type = 'comment', r.thread, r.ref) as ref
    from joined j cross join records r on r.source_id = j.source_id and r.ref = j.ref
    where r.gone_at is null and (:as_of = '' or r.created_at <= :as_of)
    union
    select c.source_id, l.to_ref
    from json_each(:sources) s cross join json_each(:refs) asked
    cross join records c on c.source_id = s.value and c.thread = asked.value and c.thread <> ''
    cross join links l on l.source_id = c.source_id and l.from_ref = c.ref and l.to_source = ''
    where c.gone_at is null and (:as_of = '' or c.created_at <= :as_of)
)
select r.id, (
    select f.id from facts f where f.record_id = r.id and f.path = 'promotion' and f.kind <> 'cross_repo'
    order by iif(f.valid_until is null, 0, exists (select 1 from facts n where n.record_id = f.record_id and n.valid_from >= f.valid_until
            and n.id <> f.id and (n.start, n.end_) = (f.start, f.end_))), f.id limit 1
), count(*) over ()
from threads t cross join records r on r.source_id = t.source_id and r.ref = t.ref
where r.type in ('issue', 'pull', 'commit', 'doc') and r.gone_at is null and r.ref not in (select value from json_each(:refs))
order by coalesce(r.merged_at, r.created_at) desc, r.id desc
limit :limit
