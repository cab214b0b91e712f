-- misnumbered_pulls.sql: pull requests that only commits tell of, by a number that is an issue's; of those that went
-- what something still refers to.
select p.ref, i.ref
from records p
cross join records i on i.source_id = p.source_id and i.ref = 'issue:' || substr(p.ref, 6)
where p.source_id = :source_id and p.type = 'pull' and p.origin = 'git' and i.gone_at is null and i.origin = 'github'
  and (p.gone_at is null or exists (
    select 1 from links l where l.source_id = p.source_id and l.to_ref = p.ref and l.to_source = ''
))
