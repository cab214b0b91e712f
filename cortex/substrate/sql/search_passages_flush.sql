-- search_passages_flush.sql: reading a vocabulary makes FTS5 write out what it still holds in memory.
select 1 from records_terms limit 1;
