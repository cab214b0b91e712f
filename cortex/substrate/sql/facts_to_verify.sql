-- facts_to_verify.sql: every fact beside its record; by record, so that a body is read once.
select
    f.record_id, f.handle, f.statement, f.excerpt, f.start, f.end_, f.fingerprint, s.name, r.ref,
    f.source_id = r.source_id as at_home
from facts f
join records r on r.id = f.record_id
join sources s on s.id = r.source_id
order by f.record_id
