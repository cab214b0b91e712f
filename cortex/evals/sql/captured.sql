-- captured.sql: the captured questions, the latest first.
select
    id, asked_at, question, sources, composer, refused, answer, citations, retrieved, timings_ms, useful, note
from captures
order by id desc
limit :limit;
