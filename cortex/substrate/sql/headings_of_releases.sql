-- headings_of_releases.sql: the parts of documents that are called as files of releases are, with the headings above each.
select r.id, s.name, r.path, r.title, r.line_start
from records r
join sources s on s.id = r.source_id
where r.type = 'doc' and r.gone_at is null
    and r.source_id in (select value from json_each(:sources))
    and (r.path like '%change%' or r.path like '%history%' or r.path like '%news%' or r.path like '%release%');
