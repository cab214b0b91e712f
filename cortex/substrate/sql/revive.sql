-- revive.sql: facts that were merged into one that no longer stands speak for themselves again, under their old number where it is free.
insert into facts (
    id, source_id, record_id, handle, kind, statement, excerpt, start, end_, authority, confidence, base_confidence,
    fingerprint, path, valid_from, valid_until, touched_at, parts, corroboration
)
select
    iif(
        row_number() over (partition by a.fact_id order by a.id) = 1
        and a.fact_id is not null and not exists (select 1 from facts f where f.id = a.fact_id),
        a.fact_id,
        (
            select max(n) from (
                select max(id) as n from facts
                union all select max(fact_id) from facts_archive
                union all select max(fact_id) from confidence_before
            )
        ) + row_number() over (order by a.id)
    ),
    a.source_id, r.id, a.handle, a.kind, a.statement, a.excerpt, a.start, a.end_, a.authority, a.confidence,
    a.base_confidence, a.fingerprint, a.path, a.valid_from, a.valid_until, a.touched_at, parts_of(a.statement),
    a.corroboration
from temp.reviving v
cross join facts_archive a on a.id = v.archive_id
cross join records r on r.source_id = a.source_id and r.ref = a.record_ref
