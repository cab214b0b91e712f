-- release_notes.sql: the parts of documents that are called as files of releases are, with how each begins; and the commits
-- and pull requests whose titles tell of a release, with the day.
select r.id, r.source_id, r.type, r.path, r.title, substr(r.body, 1, 300), coalesce(r.line_start, 0), ''
from json_each(:sources) s
cross join records r on r.source_id = s.value and r.type = 'doc'
where r.gone_at is null
    and (r.path like '%change%' or r.path like '%history%' or r.path like '%news%' or r.path like '%release%')
union all
select r.id, r.source_id, r.type, '', r.title, '', 0, coalesce(r.merged_at, r.created_at, '')
from json_each(:sources) s
cross join json_each('["commit", "pull"]') t
cross join records r on r.source_id = s.value and r.type = t.value
where r.gone_at is null and (r.type = 'commit' or r.merged_at is not null)
    and (r.title like 'release%' or r.title like '%version%' or r.title like 'v_.%' or r.title like 'tag%'
        or r.title glob '[0-9]*.[0-9]*')
