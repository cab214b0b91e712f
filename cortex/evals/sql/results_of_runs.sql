-- results_of_runs.sql: what every case came to in the runs of a suite, or of all, in the order of the suite.
select results.run_id, results.case_id, results.category, results.verdict
from eval_results as results
join eval_runs as runs on runs.id = results.run_id
where runs.suite = coalesce(:suite, runs.suite)
order by results.run_id, results.place;
