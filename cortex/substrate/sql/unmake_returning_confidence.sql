-- unmake_returning_confidence.sql: nor was it made more or less sure since.
delete from confidence_before where handle in (select handle from temp.returning_) and run_id >= :run_id
