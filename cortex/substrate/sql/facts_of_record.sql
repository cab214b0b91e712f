-- facts_of_record.sql: what was taken from a record, in its order.
select
    s.name as source, r.ref as record, f.handle, f.kind, f.statement, f.excerpt, f.start, f.end_ as "end",
    f.authority, f.confidence, f.fingerprint
from facts f
join records r on r.id = f.record_id
join sources s on s.id = f.source_id
where f.record_id = :record_id
order by f.start, f.end_, f.handle
