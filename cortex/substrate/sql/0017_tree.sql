-- The files of each source's tree as it was last read, the unread ones too: where something stands in the code.

create table if not exists tree (
    source_id integer not null references sources (id) on delete cascade,
    path text not null,                         -- from the root of the repository
    primary key (source_id, path)
) strict, without rowid;
