-- records_now_gone.sql: records of an origin that its complete listing no longer has.
update records set gone_at = :now
where source_id = :source_id and origin = :origin and gone_at is null and id <= :newest
  and type not in (select value from json_each(:kept))
  and not exists (select 1 from temp.seen where seen.ref = records.ref)
