-- search_facts_state.sql: two records that change whenever the index does.
select id, block from facts_fts_data where id in (1, 10) order by id;
