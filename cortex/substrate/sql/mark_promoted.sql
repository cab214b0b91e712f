-- mark_promoted.sql: the facts of these records are what they say now.
insert or replace into promotions (record_id, facts)
select due.id, (select count(*) from facts f where f.record_id = due.id and f.path = 'promotion') from temp.due
