-- capture.sql: a question and what came of it.
insert into captures (
    asked_at, question, sources, composer, refused, answer, citations, retrieved, timings_ms
)
values (
    :asked_at, :question, :sources, :composer, :refused, :answer, :citations, :retrieved, :timings_ms
);
