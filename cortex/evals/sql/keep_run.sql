-- keep_run.sql: a run of a suite.
insert into eval_runs (
    command, suite, at, commit_, version, records, facts, bytes, right, total, passed, ms_p50, ms_p95, cost_usd
)
values (
    :command, :suite, :at, :commit_, :version, :records, :facts, :bytes, :right, :total, :passed, :ms_p50, :ms_p95,
    0
);
