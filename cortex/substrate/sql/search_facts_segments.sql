-- search_facts_segments.sql: of how many b-trees the index consists; a query looks each of its terms up in all of them.
select count(distinct segid) from facts_fts_idx;
