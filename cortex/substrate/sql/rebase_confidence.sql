-- rebase_confidence.sql: where a fact arrives with another confidence, or touched again, it never faded, whichever run is undone.
update confidence_before set confidence = min(1.0, n.confidence + 0.05 * confidence_before.corroboration)
from (
    select f.id, f.handle, c.confidence
    from temp.arriving a
    cross join temp.candidates c on c.rowid = a.candidate
    cross join records r on r.id = c.record_id
    cross join facts f on f.handle = a.handle
    where (f.base_confidence, f.touched_at) is not (c.confidence, coalesce(r.updated_at, r.created_at))
) n
where confidence_before.fact_id = n.id and confidence_before.handle = n.handle
