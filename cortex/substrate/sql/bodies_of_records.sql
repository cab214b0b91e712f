-- bodies_of_records.sql: what records say.
select r.id, r.body
from records r
where r.id in (select value from json_each(:ids));
