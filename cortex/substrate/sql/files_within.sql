-- files_within.sql: the files that are known of whose names begin so, with the source that knows them.
select s.value, substr(l.to_ref, 6)
from json_each(:sources) s
cross join links l on l.source_id = s.value and l.to_source = '' and l.relation = 'touches'
  and l.to_ref >= 'file:' || :start and l.to_ref < 'file:' || :start || char(1114111)
union
select s.value, r.path
from json_each(:sources) s
cross join records r on r.source_id = s.value and r.gone_at is null and r.path <> '' and r.origin <> 'agents'
  and substr(r.path, 1, length(:start)) = :start
order by 2, 1
