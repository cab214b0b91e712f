-- changes_stale.sql: what was read and is gone, is said otherwise now, or is told by another.
select c.record_id
from changes_read c
cross join records r on r.id = c.record_id
where r.source_id = :source_id
    and (r.gone_at is not null or r.content_hash <> c.content_hash or r.type = 'pull' and r.merged_at is null
        or r.type = 'commit' and exists (
            select 1 from links l
            cross join records p on p.source_id = l.source_id and p.ref = l.to_ref
            where l.source_id = r.source_id and l.from_ref = r.ref and l.relation = 'merges' and p.type = 'pull'
        ))
