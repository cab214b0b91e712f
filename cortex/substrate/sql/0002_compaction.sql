-- What the compactor keeps: enough in the archive to undo a run exactly, and an index of what was compared before.

alter table facts add column corroboration integer not null default 0;

alter table facts_archive add column fact_id integer;

alter table facts_archive add column record_hash text;

alter table facts_archive add column corroboration integer not null default 0;

create index archive_by_run on facts_archive (run_id);

create index archive_by_survivor on facts_archive (merged_into) where merged_into is not null;

create table confidence_before (
    run_id integer not null references runs (id) on delete cascade,
    fact_id integer not null,                   -- a fact whose confidence this run changed
    confidence real not null,                   -- as it was before
    corroboration integer not null,             -- as it was before
    primary key (run_id, fact_id)
) strict, without rowid;

create table compared (
    fact_id integer primary key references facts (id) on delete cascade -- its keys are in comparisons
) strict;

create table comparisons (
    key integer not null,                       -- hash of part of a fact's words: near duplicates share one at least
    fact_id integer not null,                   -- that may be gone: whoever looks it up checks
    primary key (key, fact_id)
) strict, without rowid;

create trigger facts_compared_anew after update of excerpt, valid_until on facts
when (old.excerpt, old.valid_until) is not (new.excerpt, new.valid_until) begin
    delete from compared where fact_id = new.id;
end;

create trigger records_compared_anew after update of author, thread, type, gone_at on records
when (old.author, old.thread, old.type, old.gone_at) is not (new.author, new.thread, new.type, new.gone_at) begin
    delete from compared where fact_id in (select id from facts where record_id = new.id);
end;

create table compactions (
    day text primary key,                       -- of the clock the schedule goes by, 2025-03-01: one run each
    claimed_at text not null
) strict, without rowid;
