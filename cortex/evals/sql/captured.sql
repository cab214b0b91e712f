-- captured.sql: the captured questions, or that of one number, the latest first.
select
    id, asked_at, question, sources, composer, refused, answer, citations, retrieved, timings_ms, useful, note
from captures
where coalesce(id = :id, true)
order by id desc
limit :limit;
