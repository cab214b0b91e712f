-- search_count_passages.sql: the document frequencies of records_fts; a term of one row is not worth a row here.
insert into term_frequencies (index_name, term, documents)
select 'records_fts', term, doc from records_terms where doc > 1
on conflict (index_name, term) do update set documents = excluded.documents
where documents <> excluded.documents;
