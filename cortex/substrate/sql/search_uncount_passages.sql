-- search_uncount_passages.sql: forget terms that records_fts no longer has in two rows.
delete from term_frequencies
where index_name = 'records_fts' and term > ' '
    and term not in (select term from records_terms where doc > 1);
