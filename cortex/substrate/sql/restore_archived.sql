-- restore_archived.sql: what a run took out, as it was, where its record still says it and nothing brought it back; under its old number where it is free.
insert into facts (
    id, source_id, record_id, handle, kind, statement, excerpt, start, end_, authority, confidence, base_confidence,
    fingerprint, path, valid_from, valid_until, touched_at, parts, corroboration
)
select
    iif(
        row_number() over (partition by a.fact_id order by a.id) = 1
        and not exists (select 1 from facts f where f.id = a.fact_id),
        a.fact_id,
        (
            select max(n) from (
                select max(id) as n from facts
                union all select max(fact_id) from facts_archive
                union all select max(fact_id) from confidence_before
            )
        ) + row_number() over (order by a.id)
    ), a.source_id, r.id, a.handle, a.kind,
    a.statement, a.excerpt, a.start, a.end_, a.authority, a.confidence, a.base_confidence, a.fingerprint, a.path,
    a.valid_from, a.valid_until, a.touched_at, parts_of(a.statement), a.corroboration
from facts_archive a
cross join records r on r.source_id = a.source_id and r.ref = a.record_ref
where a.run_id = :run_id and a.fact_id is not null and r.content_hash = a.record_hash
  and not exists (select 1 from facts f where f.handle = a.handle)
  and (:revived or not exists (select 1 from facts_revived v where v.revived_by = :run_id and v.handle = a.handle))
order by a.id
