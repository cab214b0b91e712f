-- The ledger beside a brain: eval runs, captured questions, and how often rows were of use.
-- It has its own file because a brain can be made again from its sources and this cannot.

create table eval_runs (
    id integer primary key,
    command text not null check (command in ('eval', 'smoke')),
    suite text not null, -- name of the file of cases
    at text not null,
    commit_ text not null, -- of the repository one stood in; '+' for changes on top; '' outside of one
    version text not null, -- of Cortex
    records integer not null, -- in the brain
    facts integer not null,
    bytes integer not null, -- of the brain's file
    right integer not null,
    total integer not null,
    passed integer not null check (passed in (0, 1)),
    ms_p50 real, -- milliseconds an answer took
    ms_p95 real,
    cost_usd real not null
) strict;

create index eval_runs_by_suite on eval_runs (suite, id);

-- Cases and answers are kept once however many runs had them.
create table eval_texts (
    id integer primary key,
    digest text not null unique, -- sha256 of content
    content text not null -- JSON: a case, or an answer without its timings
) strict;

create table eval_results (
    run_id integer not null references eval_runs on delete cascade,
    place integer not null, -- in its suite, from 0
    case_id text not null,
    category text not null,
    case_text integer not null references eval_texts,
    answer_text integer not null references eval_texts,
    verdict text not null check (verdict in ('right', 'wrong', 'refused', 'invented')),
    problems text not null, -- JSON array of clauses
    ms real not null,
    cost_usd real not null,
    primary key (run_id, place)
) strict, without rowid;

create table captures (
    id integer primary key,
    asked_at text not null,
    question text not null, -- secrets redacted, as in every text here
    sources text, -- JSON array of the sources asked for; null: every federated one
    composer text not null,
    refused integer not null check (refused in (0, 1)),
    answer text not null,
    citations text not null, -- JSON array of {handle, source, ref, title}
    retrieved text not null, -- JSON array of the same, best first
    timings_ms text not null, -- JSON object
    useful integer check (useful in (0, 1)), -- null: nobody said
    useful_at text,
    note text not null default ''
) strict;

create index captures_by_time on captures (asked_at);

create table usage (
    source text not null,
    ref text not null, -- of the record
    retrieved integer not null default 0, -- questions that found it
    cited integer not null default 0, -- answers that cited it
    last_retrieved_at text,
    last_cited_at text,
    primary key (source, ref)
) strict, without rowid;

create table settings (
    name text not null primary key, -- capture_since, capture_days
    value text not null
) strict, without rowid;
