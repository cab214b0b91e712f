-- in_force.sql: the decisions in force that replaced the document :ref, directly or one after the other, the last first:
-- of each what rules, or else where it says what was decided.
with recursive newer(ref, depth) as (
    select :ref, 0
    union
    select r.ref, newer.depth + 1
    from newer
    cross join links l on l.source_id = :source_id and l.to_ref = newer.ref and l.to_source = '' and l.relation = 'supersedes'
    cross join records r on r.source_id = l.source_id and r.ref = l.from_ref
    where r.type = 'doc' and r.gone_at is null and newer.depth < 20
)
select (
    select part.id from records part
    where part.source_id = r.source_id and part.path = r.path and part.gone_at is null
    order by part.type <> 'directive', part.title not like '%› Decision', part.id
    limit 1
), r.ref
from newer
cross join records r on r.source_id = :source_id and r.ref = newer.ref
where newer.depth > 0 and r.state in ('', 'accepted', 'active')
order by newer.depth desc
