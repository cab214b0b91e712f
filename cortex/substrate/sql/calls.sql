-- name: reserve_call
-- A call, where the run and the day can still pay the most it may cost.
insert into calls (run, purpose, tier, model, class, started_at, cost_usd)
select :run, :purpose, :tier, :model, :class, :now, :worst
where :worst = 0 or (
    (select coalesce(sum(cost_usd), 0) from calls where run = :run) + :worst <= :of_run
    and (select coalesce(sum(cost_usd), 0) from calls where started_at >= :day) + :worst <= :of_day
);

-- name: settle_call
-- What became of a call; without a cost the most it may have cost stands.
update calls
set outcome = :outcome, reason = :reason, input_tokens = :input, output_tokens = :output,
    cost_usd = coalesce(:cost, cost_usd)
where id = :id;

-- name: spent
-- What calls cost since a moment, by tier and model.
select
    tier, model, count(*),
    sum(outcome = 'answered'), sum(outcome = 'unusable'), sum(outcome = 'failed'), sum(outcome in ('open', 'unknown')),
    sum(input_tokens), sum(output_tokens), sum(cost_usd),
    coalesce(sum(cost_usd) filter (where outcome in ('open', 'unknown')), 0)
from calls
where started_at >= :since and (:run is null or run = :run)
group by tier, model
order by sum(cost_usd) desc, tier, model;

-- name: taken
-- What calls of the run take of its budget, and what those of the run and of the day took that are over.
select
    coalesce(sum(cost_usd) filter (where run = :run), 0),
    coalesce(sum(cost_usd) filter (where run = :run and outcome <> 'open'), 0),
    coalesce(sum(cost_usd) filter (where started_at >= :day and outcome <> 'open'), 0)
from calls
where run = :run or started_at >= :day;
