-- arriving_facts.sql: the name of each candidate; of two that say the same of one record the first counts.
insert or ignore into temp.arriving (candidate, handle)
select c.rowid, handle_of(s.name, r.ref, c.statement)
from temp.candidates c
cross join records r on r.id = c.record_id
cross join sources s on s.id = r.source_id
