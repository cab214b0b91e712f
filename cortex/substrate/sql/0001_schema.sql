-- The first schema. Times are ISO 8601 text in UTC ('2025-03-01T12:00:00Z'); offsets count characters from 0.

create table sources (
    id integer primary key,
    name text not null unique,                  -- 'owner/name', a folder's name, a team
    location text not null default '',          -- where it was last indexed from, for people to read
    federated integer not null default 1 check (federated in (0, 1)),
    created_at text not null
) strict;

create table cursors (
    source_id integer not null references sources (id) on delete cascade,
    connector text not null,
    value text not null,                        -- opaque to all but the connector: a commit, a time
    skipped text not null default '[]',         -- JSON: what the reading that got there could not use
    primary key (source_id, connector)
) strict, without rowid;

create table records (
    id integer primary key,
    source_id integer not null references sources (id) on delete cascade,
    type text not null check (type in
        ('directive', 'pull', 'issue', 'outcome', 'doc', 'comment', 'commit', 'ownership', 'event')),
    ref text not null,                          -- 'issue:496', 'comment:496#3120451'
    title text not null,
    body text not null,                         -- verbatim
    url text not null default '',
    path text not null default '',              -- the file it came from or speaks of
    line_start integer,                         -- lines of that file, from 1, both ends included
    line_end integer,
    author text not null default '',
    association text not null default '',       -- GitHub's author_association
    state text not null default '',             -- open, closed, merged, accepted, superseded, shipped, …
    labels text not null default '[]',          -- JSON array of names
    assignees text not null default '[]',       -- JSON array of names
    merged_by text not null default '',
    closed_by text not null default '',
    thread text not null default '',            -- ref of the issue or pull a comment stands under
    created_at text,
    updated_at text,
    closed_at text,
    merged_at text,
    authority real not null check (authority between 0 and 1),
    origin text not null,                       -- the connector that brought it
    content_hash text not null,
    gone_at text,                               -- when its origin no longer had it
    unique (source_id, ref)
) strict;

create index records_by_thread on records (source_id, thread) where thread <> '';
create index records_by_type on records (source_id, type);
create index records_gone on records (source_id) where gone_at is not null;

create table promotions (
    record_id integer primary key references records (id) on delete cascade,
    facts integer not null                      -- how many were made of what the record says now
) strict;

create table links (
    source_id integer not null references sources (id) on delete cascade,
    from_ref text not null,
    relation text not null,                     -- fixes, fixed_by, mentions, duplicates, reverts, merges, supersedes,
                                                -- superseded_by, co_author, replies, touches
    to_source text not null default '',         -- '' is the same source, else 'owner/name'
    to_ref text not null,
    primary key (source_id, from_ref, relation, to_source, to_ref)
) strict, without rowid;

create index links_back on links (source_id, to_ref, relation) where to_source = '';

create table passages (
    id integer primary key,
    source_id integer not null references sources (id) on delete cascade,
    record_id integer not null references records (id) on delete cascade,
    start integer not null,                     -- characters of the record's body
    end_ integer not null,
    context text not null,                      -- its thread's title, or its headings: what the passage is about
    body text not null,                         -- the passage as searched: body[start:end_], quoted lines left out
    parts text not null                         -- identifiers of the passage taken apart: openBrain → open brain
) strict;

create index passages_by_record on passages (record_id);

create virtual table records_fts using fts5 (
    context, body, parts,
    content = 'passages', content_rowid = 'id', tokenize = 'porter unicode61 remove_diacritics 2'
);

create trigger passages_added after insert on passages begin
    insert into records_fts (rowid, context, body, parts) values (new.id, new.context, new.body, new.parts);
end;

create trigger passages_removed after delete on passages begin
    insert into records_fts (records_fts, rowid, context, body, parts)
    values ('delete', old.id, old.context, old.body, old.parts);
end;

create table facts (
    id integer primary key,
    source_id integer not null references sources (id) on delete cascade,
    record_id integer not null references records (id) on delete cascade,
    handle text not null unique,                -- 'fact-' and 12 hex digits of source, record and statement
    kind text not null check (kind in
        ('decision', 'spec', 'process', 'incident', 'ownership', 'cross_repo', 'directive')),
    statement text not null,
    excerpt text not null,                      -- record.body[start:end_]
    start integer not null check (start >= 0),
    end_ integer not null check (end_ >= start),
    authority real not null check (authority between 0 and 1),
    confidence real not null check (confidence between 0 and 1),
    base_confidence real not null,              -- as the indexer gave it, before decay and corroboration
    fingerprint text not null,                  -- hash of the normalised statement
    path text not null,                         -- promotion, docs or comments: who made it
    valid_from text,                            -- when it became true, as its record says
    valid_until text,                           -- when it stopped; null: it stands
    touched_at text,                            -- when its record was last touched
    parts text not null
) strict;

create index facts_by_record on facts (record_id);
create index facts_by_fingerprint on facts (source_id, fingerprint);

create virtual table facts_fts using fts5 (
    statement, parts,
    content = 'facts', content_rowid = 'id', tokenize = 'porter unicode61 remove_diacritics 2'
);

create trigger facts_added after insert on facts begin
    insert into facts_fts (rowid, statement, parts) values (new.id, new.statement, new.parts);
end;

create trigger facts_removed after delete on facts begin
    insert into facts_fts (facts_fts, rowid, statement, parts) values ('delete', old.id, old.statement, old.parts);
end;

create trigger facts_reworded after update of id, statement, parts on facts begin
    insert into facts_fts (facts_fts, rowid, statement, parts) values ('delete', old.id, old.statement, old.parts);
    insert into facts_fts (rowid, statement, parts) values (new.id, new.statement, new.parts);
end;

create virtual table facts_terms using fts5vocab (facts_fts, 'row');
create virtual table records_terms using fts5vocab (records_fts, 'row');

create table term_frequencies (
    index_name text not null,                   -- facts_fts or records_fts
    term text not null,                         -- as its tokenizer leaves it: stemmed, folded; '' holds the number of rows
    documents integer not null,                 -- rows it stands in, when last counted
    primary key (index_name, term)
) strict, without rowid;

create table facts_archive (
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
    run_id integer references runs (id),
    job text not null,                          -- what removed it: replaced, gone, or a compactor job
    reason text not null,
    merged_into text,                           -- handle that stands for it now
    archived_at text not null
) strict;

create index archive_by_handle on facts_archive (handle);
create index archive_by_record on facts_archive (source_id, record_ref);

create table facts_queue (
    id integer primary key,
    source_id integer not null references sources (id) on delete cascade,
    record_id integer not null references records (id) on delete cascade,
    content_hash text not null,
    path text not null check (path in ('docs', 'comments')),
    state text not null default 'pending' check (state in ('pending', 'leased', 'done', 'failed', 'dead')),
    priority integer not null default 0,
    attempts integer not null default 0,
    lease_owner text,
    lease_until text,
    fence integer not null default 0,           -- grows with each lease: a late worker's commit is refused
    not_before text,
    error text,
    produced integer,                           -- facts it made
    enqueued_at text not null,
    finished_at text,
    unique (source_id, record_id, content_hash)
) strict;

create index queue_due on facts_queue (source_id, state, priority desc, id);

create table runs (
    id integer primary key,
    source_id integer references sources (id) on delete cascade,
    command text not null,                      -- index, compact
    started_at text not null,
    finished_at text,
    status text not null default 'running' check (status in ('running', 'done', 'failed')),
    report text not null default '{}'           -- JSON: what it did, counted
) strict;

create table skips (
    id integer primary key,
    run_id integer not null references runs (id) on delete cascade,
    source_id integer not null references sources (id) on delete cascade,
    input text not null,                        -- 'comments.jsonl:17', 'docs/huge.md'
    reason text not null
) strict;

create index skips_by_run on skips (run_id);
