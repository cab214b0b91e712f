-- Who may call over HTTP, and which deliveries of a webhook were taken.

create table tokens (
    id integer primary key,
    name text not null,                         -- as people and the request log know it
    digest text not null unique,                -- SHA-256 of the token in hex; the token itself is kept nowhere
    grants text not null,                       -- JSON array of read, write and admin
    sources text,                               -- JSON array of the sources it may reach; null: every source
    created_at text not null,
    revoked_at text
) strict;

create unique index tokens_by_name on tokens (name) where revoked_at is null;

create table deliveries (
    id text primary key,                        -- X-GitHub-Delivery: one is taken once
    event text not null,                        -- X-GitHub-Event
    received_at text not null
) strict, without rowid;
