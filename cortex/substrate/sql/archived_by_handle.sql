-- archived_by_handle.sql: a fact that was taken out, as it was the last time, and what stands for it now.
with recursive became (handle, depth) as (
    select :handle, 0
    union
    select (
        select a.merged_into from facts_archive a where a.handle = became.handle order by a.id desc limit 1
    ), depth + 1
    from became
    where depth < 100 and became.handle is not null and not exists (select 1 from facts f where f.handle = became.handle)
)
select
    s.name as source, a.record_ref as record, a.handle, a.kind, a.statement, a.excerpt, a.authority, a.confidence,
    a.job, a.reason, (
        select handle from became where handle is not null and depth > 0 order by depth desc limit 1
    ) as merged_into, a.archived_at
from facts_archive a
join sources s on s.id = a.source_id
where a.handle = :handle and a.source_id in (select value from json_each(:sources))
order by a.id desc
limit 1
