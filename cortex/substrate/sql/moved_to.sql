-- moved_to.sql: where a record that is gone stands now, however often it was moved.
with recursive trail (ref, depth) as (
    select :ref, 0
    union
    select l.to_ref, depth + 1
    from trail
    join records r on r.source_id = :source_id and r.ref = trail.ref and r.gone_at is not null
    join links l on l.source_id = :source_id and l.from_ref = trail.ref and l.relation = 'moved_to'
    where depth < 100
)
select trail.ref from trail
join records r on r.source_id = :source_id and r.ref = trail.ref and r.gone_at is null
where depth > 0
order by depth
limit 1
