-- sources_of_path.sql: the sources in which something stands in a file or a folder, or changed what stands there.
select s.value
from json_each(:sources) s
where exists (
    select 1 from links l
    where l.source_id = s.value and l.to_source = '' and l.relation = 'touches' and l.to_ref = 'file:' || :path
) or exists (
    select 1 from links l
    where l.source_id = s.value and l.to_source = '' and l.relation = 'touches'
      and l.to_ref > 'file:' || :path || '/' and l.to_ref < 'file:' || :path || '0'
) or exists (
    select 1 from records r
    where r.source_id = s.value and r.gone_at is null and r.path <> '' and r.origin <> 'agents'
      and (r.path = :path or substr(r.path, 1, length(:path) + 1) = :path || '/')
)
