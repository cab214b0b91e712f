-- What undoing a compaction needs of the facts it brought back, and who holds the claim on a night.

create table facts_revived (
    id integer primary key,
    source_id integer not null references sources (id) on delete cascade,
    handle text not null,
    record_ref text not null,
    kind text not null,
    statement text not null,
    excerpt text not null,
    start integer not null,
    end_ integer not null,
    authority real not null,
    confidence real not null,
    base_confidence real not null,
    fingerprint text not null,
    path text not null,
    valid_from text,
    valid_until text,
    touched_at text,
    run_id integer references runs (id),        -- the run that had taken it out
    job text not null,
    reason text not null,
    merged_into text,
    archived_at text not null,
    fact_id integer,
    record_hash text,
    corroboration integer not null default 0,
    archive_id integer not null,                -- of the row as it was in facts_archive
    revived_by integer not null references runs (id) on delete cascade
) strict;

create index revived_by_run on facts_revived (revived_by);

create index revived_by_handle on facts_revived (handle);

alter table confidence_before rename to confidence_before_2;

create table confidence_before (
    run_id integer not null references runs (id) on delete cascade,
    fact_id integer not null,                   -- a fact whose confidence this run changed
    handle text not null,                       -- of it: its number may be another's by now
    confidence real not null,                   -- as it was before
    corroboration integer not null,             -- as it was before
    primary key (fact_id, handle, run_id)
) strict, without rowid;

insert or ignore into confidence_before (run_id, fact_id, handle, confidence, corroboration)
select b.run_id, b.fact_id, coalesce(f.handle, a.handle), b.confidence, b.corroboration
from confidence_before_2 b
left join facts f on f.id = b.fact_id
left join facts_archive a on a.fact_id = b.fact_id and a.run_id >= b.run_id and f.id is null
where coalesce(f.handle, a.handle) is not null;

drop table confidence_before_2;

-- Who claimed it, 'host:pid'; a claim of who is no more is anybody's.
alter table compactions add column claimed_by text not null default '';
