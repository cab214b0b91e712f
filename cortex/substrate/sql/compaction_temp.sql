-- compaction_temp.sql: the facts a job takes out, makes less sure or compares, before anything is written.
create temp table if not exists leaving (fact_id integer primary key, reason text not null, merged_into text);
create temp table if not exists waiting (fact_id integer primary key, reason text not null, merged_into text);
create temp table if not exists noted (
    fact_id integer primary key, handle text not null, authority real not null, confidence real not null,
    base_confidence real not null, touched_at text, stands integer not null
);
create temp table if not exists fading (
    fact_id integer primary key, confidence real not null, before real, base_confidence real, touched_at text
);
create temp table if not exists faded (
    fact_id integer primary key, confidence real not null, before real not null, base_confidence real not null,
    touched_at text
);
create temp table if not exists meeting (fact_id integer primary key);
create temp table if not exists written (fact_id integer primary key, cased text not null);
create temp table if not exists unsaid (handle text primary key) without rowid;
create temp table if not exists reviving (archive_id integer primary key, handle text not null);
create temp table if not exists returning_ (handle text primary key) without rowid;
create temp table if not exists recounting (
    handle text primary key, since integer not null default 0, said integer not null default 0,
    before integer not null default 0
) without rowid;
create temp table if not exists later (
    handle text not null, run_id integer not null, fact_id integer not null, primary key (handle, run_id)
) without rowid;
create temp table if not exists handed (
    handle text primary key, confidence real not null, corroboration integer not null
) without rowid;
create temp table if not exists pruning (archive_id integer primary key);
create temp table if not exists forgotten (run_id integer primary key);
