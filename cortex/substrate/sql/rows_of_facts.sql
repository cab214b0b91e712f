-- rows_of_facts.sql: facts with the record and the source they were taken from.
select
    f.id, f.record_id, f.source_id, r.ref, r.type, r.title, f.authority, iif(r.type = 'commit', coalesce((
        select l.to_ref from links l
        where l.source_id = r.source_id and l.from_ref = r.ref and l.relation = 'merges' and l.to_ref glob 'pull:*' limit 1
    ), ''), r.thread) as thread, r.state, r.author, r.association,
    coalesce(r.merged_at, r.created_at, ''), f.start, f.end_, f.statement, f.handle, f.kind, f.confidence
from facts f
join records r on r.id = f.record_id
where f.id in (select value from json_each(:ids))
    and (:as_of = '' or coalesce(r.merged_at, r.closed_at, r.created_at) <= :as_of)
    and (:as_of = '' or f.valid_until is null or f.valid_until > :as_of)
