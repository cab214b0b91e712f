-- search_count_facts.sql: the document frequencies of facts_fts; a term of one row is not worth a row here.
insert into term_frequencies (index_name, term, documents)
select 'facts_fts', term, doc from facts_terms where doc > 1
on conflict (index_name, term) do update set documents = excluded.documents
where documents <> excluded.documents;
