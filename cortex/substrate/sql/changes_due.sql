-- changes_due.sql: what states changes in its own words, and was not read since it says so: merged pull requests, commits
-- that are told by none of these, tags, and the parts of changelogs.
select r.id, r.type, r.path, r.title, r.body, coalesce(r.merged_at, r.created_at, ''), r.content_hash
from records r
where r.source_id = :source_id and r.gone_at is null and r.type in ('pull', 'commit', 'doc', 'release') and r.origin <> 'agents'
    and (r.type <> 'pull' or r.merged_at is not null)
    and (r.type <> 'commit' or r.title not like 'merge %' and not exists (
        select 1 from links l
        cross join records p on p.source_id = l.source_id and p.ref = l.to_ref
        where l.source_id = r.source_id and l.from_ref = r.ref and l.relation = 'merges' and p.type = 'pull'
    ))
    and (r.type <> 'doc' or r.path like '%change%' or r.path like '%history%' or r.path like '%new%' or r.path like '%release%')
    and not exists (select 1 from changes_read c where c.record_id = r.id and c.content_hash = r.content_hash)
