-- history_of_fact.sql: each time a fact was taken out, and each fact that was merged into it.
select
    a.archived_at as at, iif(a.handle = :handle, 'taken out', 'merged in') as what, a.handle, a.statement,
    a.record_ref as ref, a.job, a.reason, coalesce(a.merged_into, '') as merged_into, a.run_id as run
from facts_archive a
where (a.handle = :handle or a.merged_into = :handle) and a.source_id in (select value from json_each(:sources))
order by a.archived_at, a.id
