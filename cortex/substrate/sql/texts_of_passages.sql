-- texts_of_passages.sql: passages with all that is searched of them: what they are about, and their text.
select id, context || char(10) || body from passages where id in (select value from json_each(:ids)) order by id;
