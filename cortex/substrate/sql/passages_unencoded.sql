-- passages_unencoded.sql: passages without a vector.
select id from passages where id not in (select passage_id from encoded) order by id;
