-- ages_temp.sql: what share of its confidence a fact keeps that was last touched at a moment or before.
create temp table if not exists ages (moment text primary key, share real not null) without rowid
