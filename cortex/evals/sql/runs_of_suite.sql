-- runs_of_suite.sql: the runs of a suite, or of all, the oldest first.
select
    id as run, command, suite, at, commit_ as "commit", version, records, facts, bytes, right, total, passed, ms_p50,
    ms_p95
from eval_runs
where suite = coalesce(:suite, suite)
order by at, id;
