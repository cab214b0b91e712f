-- leave_merged.sql: a fact goes into a weightier that stands; either may have gone or changed since they were compared.
insert into temp.leaving (fact_id, reason, merged_into)
select f.id, 'says nearly what ' || s.handle || ' says', s.handle
from facts f cross join facts s on s.id = :survivor
where f.id = :fact_id and f.authority <= s.authority
