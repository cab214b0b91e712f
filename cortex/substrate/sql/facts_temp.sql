-- facts_temp.sql: where a batch of facts is put together before it replaces what stood.
create temp table if not exists due (id integer primary key);
create temp table if not exists candidates (
    record_id integer not null, kind text not null, statement text not null, start integer not null,
    end_ integer not null, confidence real not null, valid_from text, valid_until text
);
create temp table if not exists arriving (
    source_id integer not null, record_id integer not null, handle text primary key, kind text not null,
    statement text not null, excerpt text not null, start integer not null, end_ integer not null,
    authority real not null, confidence real not null, base_confidence real not null, fingerprint text not null,
    path text not null, valid_from text, valid_until text, touched_at text, parts text not null
) without rowid;
