-- restore_capture.sql: a captured question that a file kept, with what somebody said of its answer.
insert into captures (
    asked_at, question, sources, composer, refused, answer, citations, retrieved, timings_ms, useful, useful_at, note
)
values (
    :asked_at, :question, :sources, :composer, :refused, :answer, :citations, :retrieved, :timings_ms, :useful,
    :judged_at, :note
);
