-- revive.sql: facts that were merged into one that no longer stands speak for themselves again.
insert into facts (
    source_id, record_id, handle, kind, statement, excerpt, start, end_, authority, confidence, base_confidence,
    fingerprint, path, valid_from, valid_until, touched_at, parts, corroboration
)
select
    a.source_id, r.id, a.handle, a.kind, a.statement, a.excerpt, a.start, a.end_, a.authority, a.confidence,
    a.base_confidence, a.fingerprint, a.path, a.valid_from, a.valid_until, a.touched_at, parts_of(a.statement),
    a.corroboration
from temp.leaving l
cross join facts_archive a on a.id = l.fact_id
cross join records r on r.source_id = a.source_id and r.ref = a.record_ref
