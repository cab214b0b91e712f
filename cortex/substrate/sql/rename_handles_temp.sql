-- rename_handles_temp.sql: the handles that facts of a source have, and those that they have once it is called otherwise.
create temp table if not exists renaming (was text primary key, becomes text not null) without rowid;
delete from temp.renaming;
