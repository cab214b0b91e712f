-- What records change, and what stands in the place of each: worked out once, when they are indexed.

create table changes (
    source_id integer not null references sources (id) on delete cascade,
    record_id integer not null references records (id) on delete cascade,   -- what makes the change
    op text not null check (op in
        ('adds', 'removes', 'replaces', 'reverts', 'relands', 'amends', 'supersedes', 'releases')),
    subject text not null,                      -- as written; '' where a record alone is named
    old text not null,
    new text not null,
    scope text not null,
    certainty real not null check (certainty between 0 and 1),
    day text not null,                          -- when it took effect, ISO 8601; '' unknown
    target_ref text not null,                   -- the record that it changes; '' where its own words alone tell
    stems text not null,                        -- of subject, old, new and scope, a blank before and after each
    unique (record_id, op, subject, old, new, target_ref)
) strict;

create index changes_by_source on changes (source_id, day);

create table changes_read (
    record_id integer primary key references records (id) on delete cascade,
    content_hash text not null                  -- of what it said when its changes were read
) strict;

create table lineage (
    source_id integer not null references sources (id) on delete cascade,
    record_id integer not null references records (id) on delete cascade,
    state text not null check (state in ('superseded', 'reverted', 'removed', 'amended', 'reinstated')),
    by_record_id integer not null references records (id) on delete cascade,
    certainty real not null check (certainty between 0 and 1),
    since text not null,                        -- ISO 8601; '' from the beginning
    until text not null,                        -- ISO 8601; '' it holds
    primary key (record_id, since, state, by_record_id)
) strict, without rowid;

create index lineage_by_source on lineage (source_id);
create index lineage_back on lineage (by_record_id);
