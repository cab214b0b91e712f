-- unmake_returning_revived.sql: nor was it revived again since.
delete from facts_revived where handle in (select handle from temp.returning_) and run_id >= :run_id
