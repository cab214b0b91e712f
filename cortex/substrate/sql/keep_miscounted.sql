-- keep_miscounted.sql: of the facts at hand those that others corroborate than they did.
delete from temp.recounting
where not exists (select 1 from facts f where f.handle = recounting.handle and f.corroboration <> recounting.said)
