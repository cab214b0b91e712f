-- Work for any worker: what to do, who does it and how far it is.

create table tasks (
    id integer primary key,
    source_id integer not null default 0,       -- 0: of a source that is not known yet
    operation text not null,                    -- index, queue_work or compact
    parameters text not null default '{}',      -- JSON: what the operation takes
    key text not null,                          -- a source has one task of a key
    state text not null default 'pending' check (state in
        ('pending', 'paused', 'leased', 'failed', 'dead', 'done', 'cancelled')),
    wish text not null default '' check (wish in ('', 'pause', 'cancel', 'again')), -- asked for while a worker has it
    priority integer not null default 0,
    attempts integer not null default 0,        -- that came to an end
    abandoned integer not null default 0,       -- leases in a row whose owner never came back
    fence integer not null default 0,           -- grows with each lease: what a late worker writes is refused
    lease_owner text,
    lease_until text,
    not_before text,
    error text,
    progress text not null default '',          -- what its worker is at
    enqueued_at text not null,
    started_at text,
    finished_at text,
    unique (source_id, key)
) strict;

create index tasks_due on tasks (state, priority desc, id);
