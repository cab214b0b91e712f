-- facts_of_kinds.sql: facts of some kinds, the latest first, what nobody trusted wrote last; of any record, or of some.
-- What nobody trusted wrote weighs 0.6 at most: the records of what weighs more need no look.
select f.id
from facts f
where f.source_id in (select value from json_each(:sources)) and f.kind in (select value from json_each(:kinds))
  and (:records is null or f.record_id in (select value from json_each(:records)))
order by
    case when f.authority <= 0.6 then (select r.origin = 'agents' from records r where r.id = f.record_id) else 0 end,
    f.valid_from desc, f.id desc
limit :limit
