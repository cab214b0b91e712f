-- compaction_temp.sql: the facts a job takes out, before they are archived.
create temp table if not exists leaving (
    fact_id integer primary key, reason text not null, merged_into text
);
create temp table if not exists meeting (fact_id integer primary key);
create temp table if not exists new_compared (fact_id integer primary key);
create temp table if not exists new_comparisons (
    key integer not null, fact_id integer not null, primary key (key, fact_id)
) without rowid;
create temp table if not exists fading (fact_id integer primary key, confidence real not null);
