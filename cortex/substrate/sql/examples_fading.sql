-- examples_fading.sql: a few of the facts that lose confidence, the weightiest.
select f.handle, f.statement, f.excerpt, printf('%.2f → %.2f, untouched since %s', f.confidence, n.confidence, substr(f.touched_at, 1, 10)), null
from temp.faded n
cross join facts f on f.id = n.fact_id
order by f.authority desc, f.handle
limit :limit
