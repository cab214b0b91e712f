-- mark_forgotten.sql: those runs say that what they took out is kept no longer.
update runs set report = json_set(report, '$.forgotten', json('true')) where id in (select run_id from temp.forgotten)
