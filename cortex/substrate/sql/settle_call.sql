-- settle_call.sql: what became of a call; without a cost the most it may have cost stands.
update calls
set outcome = :outcome, reason = :reason, input_tokens = :input, output_tokens = :output,
    cost_usd = coalesce(:cost, cost_usd)
where id = :id
