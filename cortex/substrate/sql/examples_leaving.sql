-- examples_leaving.sql: a few of the facts a job takes out, the weightiest.
select f.handle, f.statement, f.excerpt, l.reason, l.merged_into
from temp.leaving l
cross join facts f on f.id = l.fact_id
order by f.authority desc, f.handle
limit :limit
