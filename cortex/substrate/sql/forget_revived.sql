-- forget_revived.sql: the archive rows of facts that were revived.
delete from facts_archive where handle in (select reason from temp.leaving) and merged_into is not null
