-- name: compaction_temp
-- The facts a job takes out, makes less sure or compares, before anything is written.
create temp table if not exists leaving (fact_id integer primary key, reason text not null, merged_into text);
create temp table if not exists waiting (fact_id integer primary key, reason text not null, merged_into text);
create temp table if not exists noted (
    fact_id integer primary key, handle text not null, authority real not null, confidence real not null,
    base_confidence real not null, touched_at text, stands boolean not null
);
create temp table if not exists fading (
    fact_id integer primary key, confidence real not null, before real, base_confidence real, touched_at text
);
create temp table if not exists faded (
    fact_id integer primary key, confidence real not null, before real not null, base_confidence real not null,
    touched_at text
);
create temp table if not exists meeting (fact_id integer primary key);
create temp table if not exists written (fact_id integer primary key, cased text not null);
create temp table if not exists unsaid (handle text primary key) without rowid;
create temp table if not exists reviving (archive_id integer primary key, handle text not null);
create temp table if not exists returning_ (handle text primary key) without rowid;
create temp table if not exists recounting (
    handle text primary key, since integer not null default 0, said integer not null default 0,
    before integer not null default 0
) without rowid;
create temp table if not exists later (
    handle text not null, run_id integer not null, fact_id integer not null, primary key (handle, run_id)
) without rowid;
create temp table if not exists handed (
    handle text primary key, confidence real not null, corroboration integer not null
) without rowid;
create temp table if not exists pruning (archive_id integer primary key);
create temp table if not exists forgotten (run_id integer primary key);

-- name: note_leaving
-- What the facts that are to leave were when they were found.
insert into temp.noted (fact_id, handle, authority, confidence, base_confidence, touched_at, stands)
select f.id, f.handle, f.authority, f.confidence, f.base_confidence, f.touched_at, r.gone_at is null
from temp.leaving l
cross join facts f on f.id = l.fact_id
cross join records r on r.id = f.record_id
where true
on conflict (fact_id) do update set
    handle = excluded.handle, authority = excluded.authority, confidence = excluded.confidence,
    base_confidence = excluded.base_confidence, touched_at = excluded.touched_at, stands = excluded.stands;

-- name: leave_next
-- The next of those that wait to leave.
insert into temp.leaving select * from temp.waiting order by fact_id limit :limit;

-- name: stay_changed
-- What somebody changed since it was found does not leave, nor does what would merge into what they changed.
delete from temp.leaving
where not exists (
    select 1
    from temp.noted s
    cross join facts f on f.id = s.fact_id
    cross join records r on r.id = f.record_id
    where s.fact_id = leaving.fact_id and f.handle = s.handle and (r.gone_at is null) = s.stands
      and (f.authority, f.confidence, f.base_confidence, f.touched_at)
      is (s.authority, s.confidence, s.base_confidence, s.touched_at)
) or merged_into is not null and not exists (
    select 1
    from facts v
    cross join records o on o.id = v.record_id
    cross join temp.noted s on s.fact_id = leaving.fact_id
    where v.handle = leaving.merged_into and v.authority >= s.authority and o.gone_at is null
);

-- name: archive_leaving
-- Put away what a job takes out, with all that is needed to bring it back.
insert into facts_archive (
    source_id, handle, record_ref, kind, statement, excerpt, start, end_, authority, confidence, base_confidence, fingerprint,
    path, valid_from, valid_until, touched_at, run_id, job, reason, merged_into, archived_at, fact_id, record_hash, corroboration
)
select
    f.source_id, f.handle, r.ref, f.kind, f.statement, f.excerpt, f.start, f.end_, f.authority, f.confidence,
    f.base_confidence, f.fingerprint, f.path, f.valid_from, f.valid_until, f.touched_at, :run_id, :job, l.reason,
    l.merged_into, :now, f.id, r.content_hash, f.corroboration
from temp.leaving l
cross join facts f on f.id = l.fact_id
cross join records r on r.id = f.record_id;

-- name: find_unsaid
-- Facts that others were merged into and that no longer stand.
insert or ignore into temp.unsaid (handle)
select a.merged_into
from facts_archive a
where a.source_id = :source_id and a.merged_into is not null and not exists (
    select 1 from facts s cross join records o on o.id = s.record_id
    where s.handle = a.merged_into and o.gone_at is null
);

-- name: find_forgotten
-- Compactions that cannot be undone exactly once what is pruned is gone.
insert or ignore into temp.forgotten (run_id)
select a.run_id from temp.pruning p cross join facts_archive a on a.id = p.archive_id where a.fact_id is not null
union
select r.id from runs r
where r.command = 'compact' and r.started_at < :before and r.report ->> '$.forgotten' is null
  and (r.source_id = :source_id or :every and r.source_id is null);

-- name: mark_forgotten
-- Those runs say that what they took out is kept no longer.
update runs set report = json_set(report, '$.forgotten', json('true')) where id in (select run_id from temp.forgotten);

-- name: find_pruned
-- What has been put away for longer than it is kept; a merged fact's time begins when what it resolves to goes.
insert into temp.pruning (archive_id)
with recursive kept (handle) as (
    select a.merged_into
    from facts_archive a
    where a.source_id = :source_id and a.archived_at < :before and a.merged_into is not null and (
        exists (select 1 from facts f where f.handle = a.merged_into)
        or exists (select 1 from facts_archive m where m.handle = a.merged_into and m.archived_at >= :before)
    )
    union
    select a.handle from kept cross join facts_archive a on a.merged_into = kept.handle
)
select a.id
from facts_archive a
where a.source_id = :source_id and a.archived_at < :before
  and (a.merged_into is null or a.merged_into not in (select handle from kept));

-- name: keep_confidence
-- What the facts at hand were before this run; the first of its jobs to change one says so.
insert or ignore into confidence_before (run_id, fact_id, handle, confidence, corroboration)
select :run_id, f.id, f.handle, f.confidence, f.corroboration
from temp.fading n
cross join facts f on f.id = n.fact_id;

-- name: corroborate
-- A fact is surer by so much for each other that says the same, up to 1; what it lost beyond that is not known.
update facts set
    confidence = round(min(1.0, iif(
        facts.confidence < 1.0, facts.confidence - :worth * facts.corroboration, facts.base_confidence
    ) + :worth * n.confidence), 6),
    corroboration = n.confidence
from temp.fading n
where n.fact_id = facts.id;

-- name: corroborated
-- Of the facts at hand those that others corroborate than they did, with how many.
insert into temp.fading (fact_id, confidence)
select f.id, n.said
from temp.recounting n
cross join facts f on f.handle = n.handle
where n.said <> f.corroboration;

-- name: count_said
-- Of each fact at hand, how many others say the same that merged into it, directly or by way of one that does.
update temp.recounting set said = (
    with recursive same (handle) as (
        select recounting.handle
        union
        select a.handle
        from same
        cross join facts_archive a on a.merged_into = same.handle
        cross join records r on r.source_id = a.source_id and r.ref = a.record_ref
        where a.job = 'exact_duplicates' and r.content_hash = a.record_hash and r.gone_at is null
          and not exists (select 1 from facts f where f.handle = a.handle)
          and not exists (select 1 from facts_archive l where l.handle = a.handle and l.id > a.id)
    )
    select count(*) - 1 from same
);

-- name: find_handed
-- What this run changed and a later one did again, as it was before this one.
insert or ignore into temp.handed (handle, confidence, corroboration)
select b.handle, b.confidence, b.corroboration
from confidence_before b
where b.run_id = :run_id and exists (select 1 from temp.later l where l.handle = b.handle);

-- name: find_miscounted
-- Facts that others merged into, or did once.
insert into temp.recounting (handle)
select handle from facts where source_id = :source_id and corroboration > 0
union
select merged_into from facts_archive
where source_id = :source_id and merged_into is not null and job = 'exact_duplicates';

-- name: find_uncounted
-- What counts a merge that is about to be taken back, by way of others too, and the run since which it does.
insert into temp.recounting (handle, since)
with recursive taken (handle, merged_into, since) as (
    select a.handle, a.merged_into, a.run_id
    from facts_archive a
    where a.job = 'exact_duplicates' and a.merged_into is not null and (
        a.run_id = :run_id
        or a.run_id > :run_id and a.handle in (select v.handle from facts_revived v where v.revived_by = :run_id)
    )
), counts (handle, since) as (
    select t.merged_into, t.since from taken t
    union
    select a.merged_into, max(counts.since, a.run_id)
    from counts cross join facts_archive a on a.handle = counts.handle
    where a.job = 'exact_duplicates' and a.merged_into is not null
)
select handle, min(since) from counts group by handle;

-- name: keep_miscounted
-- Of the facts at hand those that others corroborate than they did.
delete from temp.recounting
where not exists (select 1 from facts f where f.handle = recounting.handle and f.corroboration <> recounting.said);

-- name: release_archived
-- What an undone run took out and no record says by now was replaced by what these say.
update facts_archive set
    job = 'replaced', reason = 'its record changed', run_id = null, fact_id = null, record_hash = null, merged_into = null
where run_id = :run_id and fact_id is not null;

-- name: examples_leaving
-- A few of the facts a job takes out, the weightiest.
select f.handle, f.statement, f.excerpt, l.reason, l.merged_into
from temp.leaving l
cross join facts f on f.id = l.fact_id
order by f.authority desc, f.handle
limit :limit;

-- name: examples_fading
-- A few of the facts that lose confidence, the weightiest.
select f.handle, f.statement, f.excerpt, printf('%.2f → %.2f, untouched since %s', f.confidence, n.confidence, substr(f.touched_at, 1, 10)), null
from temp.faded n
cross join facts f on f.id = n.fact_id
order by f.authority desc, f.handle
limit :limit;

-- name: runs_that_removed
-- The runs in which a job archived facts of a record, or the one of a handle.
select distinct a.run_id from facts_archive a join sources s on s.id = a.source_id
where s.name = :source and a.job = :job and a.record_ref = :ref and :handle in ('', a.handle);
