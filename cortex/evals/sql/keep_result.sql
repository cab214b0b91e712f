-- keep_result.sql: what one case came to.
insert into eval_results (
    run_id, place, case_id, category, case_text, answer_text, verdict, problems, ms, cost_usd
)
values (
    :run_id, :place, :case_id, :category, :case_text, :answer_text, :verdict, :problems, :ms, 0
);
