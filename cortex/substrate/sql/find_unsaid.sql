-- find_unsaid.sql: facts that others were merged into and that no longer stand.
insert or ignore into temp.unsaid (handle)
select a.merged_into
from facts_archive a
where a.source_id = :source_id and a.merged_into is not null and not exists (
    select 1 from facts s cross join records o on o.id = s.record_id
    where s.handle = a.merged_into and o.gone_at is null
)
