-- find_later.sql: the confidences that later runs changed, by handle: a fact may have got another number meanwhile.
insert or replace into temp.later (handle, run_id, fact_id)
select handle, run_id, fact_id from confidence_before where run_id > :run_id
