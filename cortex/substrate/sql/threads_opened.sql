-- threads_opened.sql: those of some records that are issues and pull requests, and when each was opened.
select r.id, r.ref, r.title, coalesce(r.vouched < length(r.title), 0) as unverified, julianday(:until) - julianday(r.created_at) as days
from json_each(:ids) a cross join records r on r.id = a.value
where r.type in ('issue', 'pull') and r.gone_at is null and r.created_at <= :until and r.source_id in (select value from json_each(:sources))
