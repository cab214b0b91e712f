-- archive_again.sql: the rows of the archive that a run revived are there again, under their old number where it is free.
insert into facts_archive (
    id, source_id, handle, record_ref, kind, statement, excerpt, start, end_, authority, confidence, base_confidence,
    fingerprint, path, valid_from, valid_until, touched_at, run_id, job, reason, merged_into, archived_at, fact_id,
    record_hash, corroboration
)
select
    iif(
        row_number() over (partition by v.archive_id order by v.id) = 1
        and not exists (select 1 from facts_archive a where a.id = v.archive_id),
        v.archive_id,
        (
            select max(n) from (
                select max(id) as n from facts_archive union all select max(archive_id) from facts_revived
            )
        ) + row_number() over (order by v.id)
    ), v.source_id, v.handle, v.record_ref, v.kind, v.statement, v.excerpt, v.start, v.end_, v.authority, v.confidence,
    v.base_confidence, v.fingerprint, v.path, v.valid_from, v.valid_until, v.touched_at, v.run_id, v.job, v.reason,
    v.merged_into, v.archived_at, v.fact_id, v.record_hash, v.corroboration
from facts_revived v
where v.revived_by = :run_id and v.handle in (select handle from temp.returning_)
order by v.archive_id
