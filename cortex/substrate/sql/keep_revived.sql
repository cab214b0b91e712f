-- keep_revived.sql: the archive rows of facts that a compaction revives, for who undoes it.
insert into facts_revived (
    source_id, handle, record_ref, kind, statement, excerpt, start, end_, authority, confidence, base_confidence,
    fingerprint, path, valid_from, valid_until, touched_at, run_id, job, reason, merged_into, archived_at, fact_id,
    record_hash, corroboration, archive_id, revived_by
)
select
    a.source_id, a.handle, a.record_ref, a.kind, a.statement, a.excerpt, a.start, a.end_, a.authority, a.confidence,
    a.base_confidence, a.fingerprint, a.path, a.valid_from, a.valid_until, a.touched_at, a.run_id, a.job, a.reason,
    a.merged_into, a.archived_at, a.fact_id, a.record_hash, a.corroboration, a.id, :run_id
from temp.reviving v
cross join facts_archive a on a.handle = v.handle and a.merged_into is not null
