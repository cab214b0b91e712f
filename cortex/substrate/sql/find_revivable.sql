-- find_revivable.sql: archive rows of facts merged into those at hand, which no longer stand, while their own record still says them.
insert into temp.reviving (archive_id, handle)
select max(a.id), a.handle
from temp.unsaid u
cross join facts_archive a on a.merged_into = u.handle
cross join records r on r.source_id = a.source_id and r.ref = a.record_ref
where a.source_id = :source_id and r.content_hash = a.record_hash and r.gone_at is null
  and not exists (
    select 1 from facts_archive m
    cross join records o on o.source_id = m.source_id and o.ref = m.record_ref
    where m.handle = a.merged_into and m.merged_into is not null and o.content_hash = m.record_hash and o.gone_at is null
) and not exists (select 1 from facts f where f.handle = a.handle)
group by a.handle
