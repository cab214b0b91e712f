-- unmake_returning_facts.sql: what goes back to the archive no longer stands.
delete from facts where handle in (select handle from temp.returning_)
