-- reserve_call.sql: a call, where the run and the day can still pay the most it may cost.
insert into calls (run, purpose, tier, model, class, started_at, cost_usd)
select :run, :purpose, :tier, :model, :class, :now, :worst
where :worst = 0 or (
    (select coalesce(sum(cost_usd), 0) from calls where run = :run) + :worst <= :of_run
    and (select coalesce(sum(cost_usd), 0) from calls where started_at >= :day) + :worst <= :of_day
)
