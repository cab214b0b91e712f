-- issues_around.sql: the issues that a change fixes or mentions, and those that mention it, the oldest first.
select r.id, r.title
from records c
cross join records r on r.source_id = c.source_id and r.type = 'issue' and r.gone_at is null and r.ref in (
    select l.to_ref from links l
    where l.source_id = c.source_id and l.from_ref = c.ref and l.relation in ('fixes', 'mentions') and l.to_source = ''
    union
    select l.from_ref from links l
    where l.source_id = c.source_id and l.to_ref = c.ref and l.relation = 'mentions' and l.to_source = ''
)
where c.id = :id
order by r.created_at
