-- places_temp.sql: where each term stands in each row of the two full-text indexes.
create virtual table if not exists temp.facts_places using fts5vocab (main, facts_fts, instance);
create virtual table if not exists temp.passages_places using fts5vocab (main, records_fts, instance)
