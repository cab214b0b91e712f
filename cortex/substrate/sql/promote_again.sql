-- promote_again.sql: the records of what leaves are promoted anew, also those that nobody can read again.
delete from promotions where record_id in (select f.record_id from temp.leaving l join facts f on f.id = l.fact_id)
