-- find_revivable.sql: archive rows of merged facts whose survivor no longer stands while their own record still says them.
insert into temp.leaving (fact_id, reason)
select max(a.id), a.handle
from facts_archive a
cross join records r on r.source_id = a.source_id and r.ref = a.record_ref
where a.source_id = :source_id and a.merged_into is not null and r.content_hash = a.record_hash and r.gone_at is null
  and not exists (
    select 1 from facts s cross join records o on o.id = s.record_id
    where s.handle = a.merged_into and o.gone_at is null
) and not exists (
    select 1 from facts_archive m
    cross join records o on o.source_id = m.source_id and o.ref = m.record_ref
    where m.handle = a.merged_into and m.merged_into is not null and o.content_hash = m.record_hash and o.gone_at is null
) and not exists (select 1 from facts f where f.handle = a.handle)
group by a.handle
