-- touched_in.sql: the sources in which a commit changed a file, or something in a folder.
select s.value
from json_each(:sources) s
where exists (
    select 1 from links l
    where l.source_id = s.value and l.to_source = '' and l.relation = 'touches' and l.to_ref = 'file:' || :path
) or exists (
    select 1 from links l
    where l.source_id = s.value and l.to_source = '' and l.relation = 'touches'
      and l.to_ref > 'file:' || :path || '/' and l.to_ref < 'file:' || :path || '0'
)
