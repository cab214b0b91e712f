-- archived_by_handle.sql: a fact that was taken out, as it was the last time.
select
    s.name as source, a.record_ref as record, a.handle, a.kind, a.statement, a.excerpt, a.authority, a.confidence,
    a.job, a.reason, a.merged_into, a.archived_at
from facts_archive a
join sources s on s.id = a.source_id
where a.handle = :handle and a.source_id in (select value from json_each(:sources))
order by a.id desc
limit 1
