-- forget_promotions.sql: a record that says something else is promoted again, and so is what it took back or merged.
delete from promotions
where record_id in (
    select r.id from records r where r.source_id = :source_id and r.ref = :ref
    union
    select r.id from links l cross join records r on r.source_id = l.source_id and r.ref = l.to_ref
    where l.source_id = :source_id and l.from_ref = :ref and l.to_source = '' and l.relation in ('reverts', 'reapplies', 'supersedes', 'merges')
)
