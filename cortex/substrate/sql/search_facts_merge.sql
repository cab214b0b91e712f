-- search_facts_merge.sql: make one b-tree of the index.
insert into facts_fts (facts_fts) values ('optimize');
