-- search_facts_extent.sql: how many rows the index holds.
select count(*) from facts_fts_docsize;
