-- term_weights.sql: how many rows of an index hold each of these stems; '' asks for the number of rows. A stem of one row
-- was not counted, and is looked up.
select term, documents from term_frequencies
where index_name = :index_name and term in (select value from json_each(:terms))
union all
select v.term, v.doc from json_each(:terms) t cross join records_terms v on v.term = t.value where v.doc = 1
