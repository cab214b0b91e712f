-- candidate_facts.sql: candidates as facts in full: handle, excerpt, authority and fingerprint are derived here, for all alike.
insert or ignore into temp.arriving (
    source_id, record_id, handle, kind, statement, excerpt, start, end_, authority, confidence, base_confidence,
    fingerprint, path, valid_from, valid_until, touched_at, parts
)
select
    r.source_id, r.id, handle_of(s.name, r.ref, c.statement), c.kind, c.statement,
    substr(r.body, c.start + 1, c.end_ - c.start), c.start, c.end_, r.authority, c.confidence, c.confidence,
    fingerprint_of(c.statement), :path, c.valid_from, c.valid_until, coalesce(r.updated_at, r.created_at),
    parts_of(c.statement)
from temp.candidates c
join records r on r.id = c.record_id
join sources s on s.id = r.source_id
