-- headings_of_releases.sql: the parts of documents that are called as files of releases are, with the headings above each.
select id, path, title, line_start
from records
where type = 'doc' and gone_at is null
    and source_id in (select value from json_each(:sources))
    and (path like '%change%' or path like '%history%' or path like '%news%' or path like '%release%');
