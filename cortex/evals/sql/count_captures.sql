-- count_captures.sql: how many questions are kept, how many were refused, and what people said of the answers.
select count(*), sum(refused), sum(useful = 1), sum(useful = 0) from captures;
