-- facts_temp.sql: where a batch of facts is put together before it replaces what stood.
create temp table if not exists due (id integer primary key, type text);
create temp table if not exists candidates (
    record_id integer not null, kind text not null, statement text not null, start integer not null,
    end_ integer not null, confidence real not null, valid_from text, valid_until text
);
create temp table if not exists arriving (candidate integer primary key, handle text not null unique);
