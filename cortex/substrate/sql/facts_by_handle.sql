-- facts_by_handle.sql: the record and the id of each of these facts.
select f.handle, f.record_id, f.id from facts f where f.handle in (select value from json_each(:handles));
