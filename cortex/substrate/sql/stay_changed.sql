-- stay_changed.sql: what somebody changed since it was found does not leave, nor does what would merge into what they changed.
delete from temp.leaving
where not exists (
    select 1
    from temp.noted s
    cross join facts f on f.id = s.fact_id
    cross join records r on r.id = f.record_id
    where s.fact_id = leaving.fact_id and f.handle = s.handle and r.gone_at is null = s.stands
      and (f.authority, f.confidence, f.base_confidence, f.touched_at)
      is (s.authority, s.confidence, s.base_confidence, s.touched_at)
) or merged_into is not null and not exists (
    select 1
    from facts v
    cross join records o on o.id = v.record_id
    cross join temp.noted s on s.fact_id = leaving.fact_id
    where v.handle = leaving.merged_into and v.authority >= s.authority and o.gone_at is null
)
