-- corroborated.sql: of the facts at hand those that others corroborate than they did, with how many.
insert into temp.fading (fact_id, confidence)
select f.id, n.said
from temp.recounting n
cross join facts f on f.handle = n.handle
where n.said <> f.corroboration
