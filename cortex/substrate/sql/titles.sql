-- titles.sql: what the records of a type are called, by id.
select r.id, r.ref, r.title from json_each(:sources) s cross join records r on r.source_id = s.value and r.type = :type
where r.gone_at is null order by r.id
