-- nested_projects.sql: of :wanted, lists of a source, a folder and what the ref of its README or its rules begins with, those
-- that have one, with the title of it.
select w.value ->> 0, w.value ->> 1, (
    select r.title from records r
    where r.source_id = w.value ->> 0 and r.ref >= w.value ->> 2 and r.ref < (w.value ->> 2) || 'a' and r.gone_at is null
    order by r.ref limit 1
) as title
from json_each(:wanted) w
where title is not null
