-- search_passages_merge.sql: make one b-tree of the index.
insert into records_fts (records_fts) values ('optimize');
