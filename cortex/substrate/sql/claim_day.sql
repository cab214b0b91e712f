-- claim_day.sql: the compaction of a day is the caller's, even where one before it came to no end.
insert into compactions (day, claimed_at, claimed_by) values (:day, :now, :by)
on conflict (day) do update set claimed_at = excluded.claimed_at, claimed_by = excluded.claimed_by
