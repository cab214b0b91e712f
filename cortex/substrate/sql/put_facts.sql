-- put_facts.sql: facts that are new, or say the same from another place or with another weight.
insert into facts (
    source_id, record_id, handle, kind, statement, excerpt, start, end_, authority, confidence, base_confidence,
    fingerprint, path, valid_from, valid_until, touched_at, parts
)
select
    r.source_id, r.id, a.handle, c.kind, c.statement, excerpt_of(r.id, c.start, c.end_), c.start, c.end_,
    r.authority, c.confidence, c.confidence, fingerprint_of(c.statement), :path, c.valid_from, c.valid_until,
    coalesce(r.updated_at, r.created_at), parts_of(c.statement)
from temp.arriving a
cross join temp.candidates c on c.rowid = a.candidate
cross join records r on r.id = c.record_id
where not exists (
    -- what a compaction took out stays out while its record says the same and thinks no more of it
    select 1 from facts_archive x
    where x.handle = a.handle and x.record_hash = r.content_hash and x.job <> 'orphans'
      and (x.merged_into is not null or x.base_confidence >= c.confidence)
      and not exists (select 1 from facts f where f.handle = a.handle)
)
on conflict (handle) do update set
    kind = excluded.kind, excerpt = excluded.excerpt, start = excluded.start, end_ = excluded.end_,
    authority = excluded.authority, confidence = iif(
        (facts.base_confidence, facts.touched_at) is (excluded.base_confidence, excluded.touched_at), facts.confidence,
        min(1.0, excluded.base_confidence + 0.05 * facts.corroboration)
    ), base_confidence = excluded.base_confidence,
    valid_from = excluded.valid_from, valid_until = excluded.valid_until, touched_at = excluded.touched_at
where (facts.kind, facts.excerpt, facts.start, facts.end_, facts.authority, facts.base_confidence)
    is not (excluded.kind, excluded.excerpt, excluded.start, excluded.end_, excluded.authority, excluded.base_confidence)
    or (facts.valid_from, facts.valid_until, facts.touched_at)
    is not (excluded.valid_from, excluded.valid_until, excluded.touched_at)
