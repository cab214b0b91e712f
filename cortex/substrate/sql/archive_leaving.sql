-- archive_leaving.sql: put away what a job takes out, with all that is needed to bring it back.
insert into facts_archive (
    source_id, handle, record_ref, kind, statement, excerpt, start, end_, authority, confidence, base_confidence,
    fingerprint, path, valid_from, valid_until, touched_at, run_id, job, reason, merged_into, archived_at, fact_id,
    record_hash, corroboration
)
select
    f.source_id, f.handle, r.ref, f.kind, f.statement, f.excerpt, f.start, f.end_, f.authority, f.confidence,
    f.base_confidence, f.fingerprint, f.path, f.valid_from, f.valid_until, f.touched_at, :run_id, :job, l.reason,
    l.merged_into, :now, f.id, r.content_hash, f.corroboration
from temp.leaving l
cross join facts f on f.id = l.fact_id
cross join records r on r.id = f.record_id
