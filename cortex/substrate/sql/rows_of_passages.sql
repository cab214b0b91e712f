-- rows_of_passages.sql: passages with the record and the source they stand in.
select
    p.id, p.record_id, p.source_id, r.ref, r.type, r.title, r.authority, r.thread, r.state, r.author, r.association,
    coalesce(r.merged_at, r.created_at, ''), p.start, p.end_, p.body
from passages p
join records r on r.id = p.record_id
where p.id in (select value from json_each(:ids))
