-- name: archive_again
-- The rows of the archive that a run revived are there again, under their old number where it is free.
insert into facts_archive
select
    iif(
        row_number() over (partition by v.archive_id order by v.id) = 1
        and not exists (select 1 from facts_archive a where a.id = v.archive_id),
        v.archive_id,
        (
            select max(n) from (
                select max(id) as n from facts_archive union all select max(archive_id) from facts_revived
            )
        ) + row_number() over (order by v.id)
    ), v.source_id, v.handle, v.record_ref, v.kind, v.statement, v.excerpt, v.start, v.end_, v.authority, v.confidence,
    v.base_confidence, v.fingerprint, v.path, v.valid_from, v.valid_until, v.touched_at, v.run_id, v.job, v.reason,
    v.merged_into, v.archived_at, v.fact_id, v.record_hash, v.corroboration
from facts_revived v
where v.revived_by = :run_id and v.handle in (select handle from temp.returning_)
order by v.archive_id;

-- name: find_returning
-- What a run revived and that goes back to the archive without it, as its survivor resolves again.
insert into temp.returning_ (handle)
with recursive returns (handle) as (
    select v.handle from facts_revived v
    where v.revived_by = :run_id and exists (select 1 from facts f where f.handle = v.merged_into)
    union
    select v.handle from returns cross join facts_revived v on v.merged_into = returns.handle
    where v.revived_by = :run_id
)
select handle from returns;

-- name: find_revivable
-- Archive rows of facts merged into those at hand, which no longer stand, while their own record still says them.
insert into temp.reviving (archive_id, handle)
select max(a.id), a.handle
from temp.unsaid u
cross join facts_archive a on a.merged_into = u.handle
cross join records r on r.source_id = a.source_id and r.ref = a.record_ref
where a.source_id = :source_id and r.content_hash = a.record_hash and r.gone_at is null
  and not exists (
    select 1 from facts_archive m
    cross join records o on o.source_id = m.source_id and o.ref = m.record_ref
    where m.handle = a.merged_into and m.merged_into is not null and o.content_hash = m.record_hash and o.gone_at is null
) and not exists (select 1 from facts f where f.handle = a.handle)
group by a.handle;

-- name: forget_restored
-- The archive rows of facts that stand again.
delete from facts_archive
where run_id = :run_id and fact_id is not null and exists (select 1 from facts f where f.handle = facts_archive.handle);

-- name: forget_revived
-- The archive rows of facts that were revived.
delete from facts_archive where handle in (select handle from temp.reviving) and merged_into is not null;

-- name: keep_revived
-- The archive rows of facts that a compaction revives, for who undoes it.
insert into facts_revived (
    source_id, handle, record_ref, kind, statement, excerpt, start, end_, authority, confidence, base_confidence, fingerprint,
    path, valid_from, valid_until, touched_at, run_id, job, reason, merged_into, archived_at, fact_id, record_hash, corroboration,
    archive_id, revived_by
)
select
    a.source_id, a.handle, a.record_ref, a.kind, a.statement, a.excerpt, a.start, a.end_, a.authority, a.confidence,
    a.base_confidence, a.fingerprint, a.path, a.valid_from, a.valid_until, a.touched_at, a.run_id, a.job, a.reason,
    a.merged_into, a.archived_at, a.fact_id, a.record_hash, a.corroboration, a.id, :run_id
from temp.reviving v
cross join facts_archive a on a.handle = v.handle and a.merged_into is not null;

-- name: promote_restored
-- The records of what a run took out or revived are promoted anew once it is undone.
delete from promotions where record_id in (
    select r.id from facts_archive a cross join records r on r.source_id = a.source_id and r.ref = a.record_ref
    where a.run_id = :run_id and r.gone_at is null
    union
    select r.id from facts_revived v cross join records r on r.source_id = v.source_id and r.ref = v.record_ref
    where v.revived_by = :run_id and r.gone_at is null
);

-- name: find_restorable
-- What a run took out, where its record still says it and nothing brought it back.
insert into temp.reviving (archive_id, handle)
select a.id, a.handle
from facts_archive a
cross join records r on r.source_id = a.source_id and r.ref = a.record_ref
where a.run_id = :run_id and a.fact_id is not null and r.content_hash = a.record_hash
  and not exists (select 1 from facts f where f.handle = a.handle)
  and (:revived or not exists (select 1 from facts_revived v where v.revived_by = :run_id and v.handle = a.handle));

-- name: restore_archived_confidence
-- What this run changed and a later one put away goes back to its old confidence where it lies.
update facts_archive set confidence = b.confidence, corroboration = b.corroboration
from confidence_before b
where b.run_id = :run_id and b.handle = facts_archive.handle and facts_archive.run_id > :run_id
  and not exists (select 1 from temp.later l where l.handle = b.handle and l.run_id <= facts_archive.run_id);

-- name: restore_confidence
-- What this run changed and no later one did gets its old confidence back.
update facts set confidence = b.confidence, corroboration = b.corroboration
from confidence_before b
where b.run_id = :run_id and b.handle = facts.handle
  and not exists (select 1 from temp.later l where l.handle = b.handle);

-- name: restore_revived_confidence
-- What this run changed and a later one put away and another revived goes back to its old confidence where it lies.
update facts_revived set confidence = b.confidence, corroboration = b.corroboration
from confidence_before b
where b.run_id = :run_id and b.handle = facts_revived.handle and facts_revived.run_id > :run_id
  and not exists (select 1 from temp.later l where l.handle = b.handle and l.run_id <= facts_revived.run_id);

-- name: revive
-- Facts of the archive stand again as they were, under their old number where it is free.
insert into facts
select
    iif(
        row_number() over (partition by a.fact_id order by a.id) = 1
        and a.fact_id is not null and not exists (select 1 from facts f where f.id = a.fact_id),
        a.fact_id,
        (
            select max(n) from (
                select max(id) as n from facts
                union all select max(fact_id) from facts_archive
                union all select max(fact_id) from confidence_before
            )
        ) + row_number() over (order by a.id)
    ),
    a.source_id, r.id, a.handle, a.kind, a.statement, a.excerpt, a.start, a.end_, a.authority, a.confidence,
    a.base_confidence, a.fingerprint, a.path, a.valid_from, a.valid_until, a.touched_at, parts_of(a.statement),
    a.corroboration
from temp.reviving v
cross join facts_archive a on a.id = v.archive_id
cross join records r on r.source_id = a.source_id and r.ref = a.record_ref;

-- name: stay_archived
-- What stands by now, or left the archive, is not revived.
delete from temp.reviving
where exists (select 1 from facts f where f.handle = reviving.handle)
   or not exists (select 1 from facts_archive a where a.id = reviving.archive_id and a.handle = reviving.handle);

-- name: uncount_archive
-- What lies in the archive counts no longer what was taken back.
update facts_archive set
    confidence = round(min(1.0, iif(
        facts_archive.confidence < 1.0, facts_archive.confidence - :worth * facts_archive.corroboration, facts_archive.base_confidence
    ) + :worth * max(0, facts_archive.corroboration - n.before + n.said)), 6),
    corroboration = max(0, facts_archive.corroboration - n.before + n.said)
from temp.recounting n
where facts_archive.handle = n.handle and facts_archive.run_id > n.since and n.said <> n.before;

-- name: uncount_confidence
-- What later runs go back to counts no longer what was taken back.
update confidence_before set
    confidence = round(min(1.0, iif(
        confidence < 1.0, confidence - :worth * corroboration,
        coalesce((select f.base_confidence from facts f where f.handle = confidence_before.handle), 1.0)
    ) + :worth * max(0, corroboration - (
        select n.before - n.said from temp.recounting n where n.handle = confidence_before.handle
    ))), 6),
    corroboration = max(0, corroboration - (
        select n.before - n.said from temp.recounting n where n.handle = confidence_before.handle
    ))
where (fact_id, handle, run_id) in (
    select l.fact_id, l.handle, l.run_id
    from temp.recounting n cross join temp.later l on l.handle = n.handle and l.run_id > n.since
    where n.said <> n.before
);

-- name: uncount_facts
-- What stands counts no longer what was taken back.
update facts set
    confidence = round(min(1.0, iif(
        facts.confidence < 1.0, facts.confidence - :worth * facts.corroboration, facts.base_confidence
    ) + :worth * max(0, facts.corroboration - n.before + n.said)), 6),
    corroboration = max(0, facts.corroboration - n.before + n.said)
from temp.recounting n
where facts.handle = n.handle and n.said <> n.before;

-- name: uncount_revived
-- What was in the archive once counts no longer what was taken back.
update facts_revived set
    confidence = round(min(1.0, iif(
        facts_revived.confidence < 1.0, facts_revived.confidence - :worth * facts_revived.corroboration, facts_revived.base_confidence
    ) + :worth * max(0, facts_revived.corroboration - n.before + n.said)), 6),
    corroboration = max(0, facts_revived.corroboration - n.before + n.said)
from temp.recounting n
where facts_revived.handle = n.handle and facts_revived.run_id > n.since and n.said <> n.before;

-- name: hand_on_confidence
-- Where a later run changed it again, that run now goes back to what was before this one.
update confidence_before set (confidence, corroboration) = (
    select n.confidence, n.corroboration from temp.handed n where n.handle = confidence_before.handle
)
where (fact_id, handle, run_id) in (
    select l.fact_id, l.handle, l.run_id
    from temp.handed n cross join temp.later l on l.handle = n.handle
    where not exists (select 1 from temp.later m where m.handle = l.handle and m.run_id < l.run_id)
);
