-- note_leaving.sql: what the facts that are to leave were when they were found.
insert or replace into temp.noted (fact_id, handle, authority, confidence, base_confidence, touched_at, stands)
select f.id, f.handle, f.authority, f.confidence, f.base_confidence, f.touched_at, r.gone_at is null
from temp.leaving l
cross join facts f on f.id = l.fact_id
cross join records r on r.id = f.record_id
