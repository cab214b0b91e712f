-- leave_next.sql: the next of those that wait to leave.
insert into temp.leaving (fact_id, reason, merged_into)
select fact_id, reason, merged_into from temp.waiting order by fact_id limit :limit
