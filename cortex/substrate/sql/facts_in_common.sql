-- facts_in_common.sql: keys that a new fact shares with another, and who has them.
with shared as materialized (
    select n.key from temp.new_comparisons n
    group by n.key
    having count(*) > 1 or exists (select 1 from comparisons c where c.key = n.key)
)
select n.key, n.fact_id from shared cross join temp.new_comparisons n on n.key = shared.key
union all
select c.key, c.fact_id from shared cross join comparisons c on c.key = shared.key
