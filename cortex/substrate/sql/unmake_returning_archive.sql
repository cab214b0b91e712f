-- unmake_returning_archive.sql: what became of it since it was revived never was.
delete from facts_archive
where handle in (select handle from temp.returning_) and run_id >= :run_id and fact_id is not null
