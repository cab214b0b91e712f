-- in_capitals.sql: whether one of the first passages with the word :term writes it as :word, in capitals, amid other words.
select 1
from (select rowid from records_fts where records_fts match :term limit 2000) f
cross join passages p on p.id = f.rowid
where ' ' || p.body || ' ' glob '*[^A-Za-z0-9]' || :word || '[^A-Za-z0-9]*' and upper(p.body) <> p.body
limit 1
