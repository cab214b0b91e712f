-- files_within.sql: the files that commits changed whose names begin so, with the source that knows them.
select distinct s.value, substr(l.to_ref, 6)
from json_each(:sources) s
cross join links l on l.source_id = s.value and l.to_source = '' and l.relation = 'touches'
  and l.to_ref >= 'file:' || :start and l.to_ref < 'file:' || :start || char(1114111)
