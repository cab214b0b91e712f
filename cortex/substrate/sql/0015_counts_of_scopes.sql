-- The passages of a source by its number: what a term counts for a caller who may read some sources is counted in these.

create index if not exists passages_by_source on passages (source_id);
