-- stay_unfaded.sql: what somebody changed since it was found keeps its confidence until the next run.
delete from temp.fading
where not exists (
    select 1 from facts f
    where f.id = fading.fact_id
      and (f.confidence, f.base_confidence, f.touched_at) is (fading.before, fading.base_confidence, fading.touched_at)
)
