-- search_note_count.sql: how many rows an index has ('') and what state of it was counted (' ', which no term can be).
insert into term_frequencies (index_name, term, documents) values (:index, '', :rows), (:index, ' ', :state)
on conflict (index_name, term) do update set documents = excluded.documents;
