-- spent.sql: what calls cost since a moment, by tier and model.
select
    tier, model, count(*),
    sum(outcome = 'answered'), sum(outcome = 'unusable'), sum(outcome = 'failed'), sum(outcome in ('open', 'unknown')),
    sum(input_tokens), sum(output_tokens), sum(cost_usd),
    coalesce(sum(cost_usd) filter (where outcome in ('open', 'unknown')), 0)
from calls
where started_at >= :since and (:run is null or run = :run)
group by tier, model
order by sum(cost_usd) desc, tier, model
