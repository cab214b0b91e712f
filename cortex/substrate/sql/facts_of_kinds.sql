-- facts_of_kinds.sql: facts of some kinds, the latest first, what nobody trusted wrote last; of any record, or of some.
select f.id
from facts f
where f.source_id in (select value from json_each(:sources)) and f.kind in (select value from json_each(:kinds))
  and (:records is null or f.record_id in (select value from json_each(:records)))
order by
    exists (select 1 from records r where r.id = f.record_id and (f.end_ > r.vouched or r.vouched = 0)), f.valid_from desc, f.id desc
limit :limit
