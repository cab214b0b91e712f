-- last_touched.sql: when the file :path was changed last, ISO 8601; null where no change of it is known.
select max(t.created_at)
from links l
cross join records t on t.source_id = l.source_id and t.ref = l.from_ref
where l.source_id = :source_id and l.to_source = '' and l.to_ref = 'file:' || :path and l.relation = 'touches'
    and (:as_of = '' or t.created_at <= :as_of)
