-- paths_called.sql: of these names those of files that a commit touched, and of folders with such files.
select distinct asked.value
from json_each(:names) asked
cross join json_each(:sources) s
where asked.value <> '' and (
    exists (
        select 1 from links l where l.source_id = s.value and l.to_source = '' and l.relation = 'touches'
            and l.to_ref = 'file:' || asked.value
    )
    or exists (
        select 1 from links l where l.source_id = s.value and l.to_source = '' and l.relation = 'touches'
            and l.to_ref > 'file:' || asked.value || '/' and l.to_ref < 'file:' || asked.value || '0'
    )
)
