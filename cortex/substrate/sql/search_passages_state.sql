-- search_passages_state.sql: two records that change whenever the index does.
select id, block from records_fts_data where id in (1, 10) order by id;
