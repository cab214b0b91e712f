-- term_weights.sql: how many rows of an index hold each of these stems; '' asks for the number of rows.
select term, documents from term_frequencies
where index_name = :index_name and term in (select value from json_each(:terms))
