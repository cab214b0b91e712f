-- docs_touched.sql: records of files, each with when a commit last changed its file, '' where none is known.
select r.id, coalesce((
    select max(t.created_at) from links l
    cross join records t on t.source_id = l.source_id and t.ref = l.from_ref
    where l.source_id = r.source_id and l.to_source = '' and l.to_ref = 'file:' || r.path and l.relation = 'touches'
), '') as touched
from records r
where r.id in (select value from json_each(:ids))
