-- search_passages_extent.sql: how many rows the index holds.
select count(*) from records_fts_docsize;
