-- name: captured
-- The captured questions, or that of one number, the latest first.
select
    id, asked_at, question, sources, composer, refused, answer, citations, retrieved, timings_ms, useful, note
from captures
where coalesce(id = :id, true)
order by id desc
limit :limit;

-- name: judge_capture
-- Whether the answer to a captured question was of use.
update captures set useful = :useful, useful_at = :judged_at, note = :note
where asked_at = :asked_at and question = :question;

-- name: capture
-- A question and what came of it, with what somebody said of its answer where a file kept both.
insert into captures (
    asked_at, question, sources, composer, refused, answer, citations, retrieved, timings_ms, useful, useful_at, note
)
values (
    :asked_at, :question, :sources, :composer, :refused, :answer, :citations, :retrieved, :timings_ms, :useful,
    :judged_at, :note
);

-- name: count_use
-- A question found this record, or its answer cited it and therefore found it as well.
insert into usage values (:source, :ref, not :cited, :cited, :now, iif(:cited, :now, null))
on conflict (source, ref) do update set
    retrieved = retrieved + excluded.retrieved, cited = cited + excluded.cited,
    last_retrieved_at = excluded.last_retrieved_at, last_cited_at = coalesce(excluded.last_cited_at, last_cited_at);

-- name: most_cited
-- The records that answers cited most often.
select source, ref, cited, last_cited_at from usage
where cited > 0
order by cited desc, last_cited_at desc, ref
limit :limit;

-- name: keep_run
-- A run of a suite.
insert into eval_runs (
    command, suite, at, commit_, version, records, facts, bytes, right, total, passed, ms_p50, ms_p95, cost_usd
)
values (
    :command, :suite, :at, :commit_, :version, :records, :facts, :bytes, :right, :total, :passed, :ms_p50, :ms_p95,
    0
);

-- name: keep_result
-- What one case came to.
insert into eval_results (
    run_id, place, case_id, category, case_text, answer_text, verdict, problems, ms, cost_usd
)
values (
    :run_id, :place, :case_id, :category, :case_text, :answer_text, :verdict, :problems, :ms, 0
);

-- name: runs_of_suite
-- The runs of a suite, or of all, the oldest first.
select
    id as run, command, suite, at, commit_ as "commit", version, records, facts, bytes, right, total, passed, ms_p50,
    ms_p95
from eval_runs
where suite = coalesce(:suite, suite)
order by at, id;

-- name: results_of_runs
-- What every case came to in the runs of a suite, or of all, in the order of the suite.
select results.run_id, results.case_id, results.category, results.verdict
from eval_results as results
join eval_runs as runs on runs.id = results.run_id
where runs.suite = coalesce(:suite, runs.suite)
order by results.run_id, results.place;
