-- fade_next.sql: the next of those that are to fade.
insert into temp.fading (fact_id, confidence, before, base_confidence, touched_at)
select fact_id, confidence, before, base_confidence, touched_at from temp.faded order by fact_id limit :limit
