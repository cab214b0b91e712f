-- search_uncount_facts.sql: forget terms that facts_fts no longer has in two rows.
delete from term_frequencies
where index_name = 'facts_fts' and term > ' '
    and term not in (select term from facts_terms where doc > 1);
