-- Record types and kinds of facts are named in `model.py` alone: a new one needs no new table. Foreign keys are off meanwhile.

create table records_anew (
    id integer primary key,
    source_id integer not null references sources (id) on delete cascade,
    type text not null,
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
    vouched integer default 0,
    edited_at text,
    unique (source_id, ref)
) strict;

insert into records_anew (id, source_id, type, ref, title, body, url, path, line_start, line_end, author, association, state, labels,
    assignees, merged_by, closed_by, thread, created_at, updated_at, closed_at, merged_at, authority, origin,
    content_hash, gone_at, vouched, edited_at)
select
    id, source_id, type, ref, title, body, url, path, line_start, line_end, author, association, state, labels,
    assignees, merged_by, closed_by, thread, created_at, updated_at, closed_at, merged_at, authority, origin,
    content_hash, gone_at, vouched, edited_at
from records;

drop table records;

alter table records_anew rename to records;

create index records_by_thread on records (source_id, thread) where thread <> '';

create index records_by_type on records (source_id, type);

create index records_gone on records (source_id) where gone_at is not null;

create table facts_anew (
    id integer primary key,
    source_id integer not null references sources (id) on delete cascade,
    record_id integer not null references records (id) on delete cascade,
    handle text not null unique,                -- 'fact-' and 12 hex digits of source, record and statement
    kind text not null,
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
    parts text not null,
    corroboration integer not null default 0
) strict;

insert into facts_anew (id, source_id, record_id, handle, kind, statement, excerpt, start, end_, authority, confidence,
    base_confidence, fingerprint, path, valid_from, valid_until, touched_at, parts, corroboration)
select
    id, source_id, record_id, handle, kind, statement, excerpt, start, end_, authority, confidence,
    base_confidence, fingerprint, path, valid_from, valid_until, touched_at, parts, corroboration
from facts;

drop table facts;

alter table facts_anew rename to facts;

create index facts_by_record on facts (record_id);

create index facts_by_fingerprint on facts (source_id, fingerprint);

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

create trigger facts_compared_anew after update of excerpt, valid_until on facts
when (old.excerpt, old.valid_until) is not (new.excerpt, new.valid_until) begin
    delete from compared where fact_id = new.id;
end;

create trigger records_compared_anew after update of author, thread, type, gone_at on records
when (old.author, old.thread, old.type, old.gone_at) is not (new.author, new.thread, new.type, new.gone_at) begin
    delete from compared where fact_id in (select id from facts where record_id = new.id);
end;
