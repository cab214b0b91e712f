-- count_unseen.sql: how many records of an origin and a type its listing does not have.
select count(*) from records
where source_id = :source_id and origin = :origin and type = :type and gone_at is null
  and not exists (select 1 from temp.seen where seen.ref = records.ref)
