-- find_orphans.sql: facts whose record its origin no longer has.
insert into temp.leaving (fact_id, reason)
select f.id, 'its record is gone since ' || substr(r.gone_at, 1, 10)
from records r
cross join facts f on f.record_id = r.id
where r.source_id = :source_id and r.gone_at is not null
