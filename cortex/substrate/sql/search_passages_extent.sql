-- search_passages_extent.sql: FTS5's own count of the rows of the index, and of their tokens by column.
select block from records_fts_data where id = 1;
