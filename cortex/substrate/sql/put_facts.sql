-- put_facts.sql: facts that are new, or say the same from another place or with another weight.
insert into facts (
    source_id, record_id, handle, kind, statement, excerpt, start, end_, authority, confidence, base_confidence,
    fingerprint, path, valid_from, valid_until, touched_at, parts
)
select
    source_id, record_id, handle, kind, statement, excerpt, start, end_, authority, confidence, base_confidence,
    fingerprint, path, valid_from, valid_until, touched_at, parts
from temp.arriving
where true
on conflict (handle) do update set
    record_id = excluded.record_id, kind = excluded.kind, excerpt = excluded.excerpt, start = excluded.start,
    end_ = excluded.end_, authority = excluded.authority, confidence = excluded.confidence,
    base_confidence = excluded.base_confidence, valid_from = excluded.valid_from, valid_until = excluded.valid_until,
    touched_at = excluded.touched_at
where (facts.kind, facts.excerpt, facts.start, facts.end_, facts.authority, facts.base_confidence)
    is not (excluded.kind, excluded.excerpt, excluded.start, excluded.end_, excluded.authority, excluded.base_confidence)
    or facts.valid_until is not excluded.valid_until or facts.touched_at is not excluded.touched_at
