-- archive_stale_facts.sql: facts of the records at hand, by whoever made this batch, that did not arrive again.
insert into facts_archive (
    source_id, handle, record_ref, kind, statement, excerpt, start, end_, authority, confidence, base_confidence,
    fingerprint, path, valid_from, valid_until, touched_at, run_id, job, reason, archived_at
)
select
    f.source_id, f.handle, r.ref, f.kind, f.statement, f.excerpt, f.start, f.end_, f.authority, f.confidence,
    f.base_confidence, f.fingerprint, f.path, f.valid_from, f.valid_until, f.touched_at, :run_id, 'replaced',
    iif(exists (
        select 1 from facts_queue q
        where q.source_id = r.source_id and q.record_id = r.id and q.content_hash = r.content_hash
          and q.path = f.path and q.distiller <> ''
    ), 'its record was read anew', 'its record changed'), :now
from temp.due
cross join facts f on f.record_id = due.id
cross join records r on r.id = f.record_id
where f.path = :path and not exists (select 1 from temp.arriving a where a.handle = f.handle)
