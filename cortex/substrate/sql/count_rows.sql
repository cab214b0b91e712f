-- count_rows.sql: per source, records by type, records gone, facts by kind, facts of records gone by kind, jobs by state, facts archived by job.
select source_id, iif(gone_at is null, 'records', 'gone') as what, type as name, count(*) as number
from records
group by source_id, gone_at is null, type
union all
select source_id, iif(record_id in (select id from records where gone_at is not null), 'facts_gone', 'facts') as what, kind, count(*)
from facts
group by source_id, what, kind
union all
select source_id, 'queue', state, count(*) from facts_queue group by source_id, state
union all
select source_id, 'archived', job, count(*) from facts_archive group by source_id, job
order by 1, 2, 4 desc, 3
