-- forget_revived.sql: the archive rows of facts that were revived.
delete from facts_archive where handle in (select handle from temp.reviving) and merged_into is not null
