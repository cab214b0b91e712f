-- taken.sql: what calls of the run take of its budget, and what those of the run and of the day took that are over.
select
    coalesce(sum(cost_usd) filter (where run = :run), 0),
    coalesce(sum(cost_usd) filter (where run = :run and outcome <> 'open'), 0),
    coalesce(sum(cost_usd) filter (where started_at >= :day and outcome <> 'open'), 0)
from calls
where run = :run or started_at >= :day
