-- fact_by_handle.sql: a fact as it stands now.
select
    s.name as source, r.ref as record, f.handle, f.kind, f.statement, f.excerpt, f.start, f.end_ as "end",
    f.authority, f.confidence, f.fingerprint, f.path as made_by, f.valid_from, f.valid_until, r.id as record_id,
    f.source_id
from facts f
join records r on r.id = f.record_id
join sources s on s.id = f.source_id
where f.handle = :handle and f.source_id in (select value from json_each(:sources))
