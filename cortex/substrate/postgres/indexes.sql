-- Indexes that many sources in one brain need.

create index if not exists records_by_ref on records (ref, source_id);

create index if not exists passages_by_source on passages (source_id, id);
