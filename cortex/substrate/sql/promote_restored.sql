-- promote_restored.sql: the records of what a run took out or revived are promoted anew once it is undone.
delete from promotions where record_id in (
    select r.id from facts_archive a cross join records r on r.source_id = a.source_id and r.ref = a.record_ref
    where a.run_id = :run_id and r.gone_at is null
    union
    select r.id from facts_revived v cross join records r on r.source_id = v.source_id and r.ref = v.record_ref
    where v.revived_by = :run_id and r.gone_at is null
)
