-- search_frequencies.sql: in how many rows of an index each of the terms stands; '' is whether it was ever counted.
select term, documents
from term_frequencies
where index_name = :index and term in (select value from json_each(:terms));
