-- words_temp.sql: where each word stands in the passages.
create virtual table if not exists temp.passage_words using fts5vocab (main, records_fts, 'instance')
