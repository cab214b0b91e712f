-- search_facts_extent.sql: FTS5's own count of the rows of the index, and of their tokens by column.
select block from facts_fts_data where id = 1;
