-- releases.sql: what tells of a release, and how: parts of changelogs, tags, and titles of commits and pull requests. A tag is
-- reached where the commit that it names was read, or GitHub shows its release.
select
    r.id, r.source_id, r.type, iif(r.type = 'release', substr(r.ref, 9), r.path), r.title, coalesce(r.line_start, 0), c.new, c.day, c.certainty < 0.5,
    r.type = 'release' and (r.origin = 'github' or exists (
        select 1 from links l
        cross join records t on t.source_id = l.source_id and t.ref = l.to_ref and t.gone_at is null
        where l.source_id = r.source_id and l.from_ref = r.ref and l.relation = 'releases' and l.to_source = ''
    ))
from json_each(:sources) s
cross join changes c on c.source_id = s.value and c.op = 'releases' and c.target_ref = ''
cross join records r on r.id = c.record_id and r.gone_at is null
order by c.day, r.id
