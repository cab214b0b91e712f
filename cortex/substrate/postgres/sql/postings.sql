-- name: has_changes
select exists (select 1 from text_changes);

-- name: is_sampled
select abs(c.reltuples - s.rows) <= :grown * s.rows
from pg_class c cross join (select coalesce(sum(rows), 0) as rows from text_sizes where index_name = 'p') s
where c.oid = cast('passages' as regclass);

-- name: forget_changes
delete from text_changes;

-- name: changed
-- The next rows that came or went: what each said when it was last taken in, null where it was not. What a source
-- said that is gone went with it.
select distinct on (c.source_id, c.id) c.id, c.source_id, c.texts from text_changes c join sources s on s.id = c.source_id
where c.index_name = :index and (c.source_id, c.id) > (:after_source, :after)
order by c.source_id, c.id, c.number limit :most;

-- name: texts_of_facts
select id, source_id, array[statement, parts] from facts where id = any(:ids);

-- name: texts_of_passages
select id, source_id, array[context, body, parts] from passages where id = any(:ids);

-- name: held
-- The postings of these terms, sources and blocks.
select k.term, k.source_id, k.block, p.data
from unnest(cast(:terms as text[]), cast(:sources as bigint[]), cast(:blocks as bigint[])) as k (term, source_id, block)
join postings p on p.index_name = :index and (p.term, p.source_id, p.block) = (k.term, k.source_id, k.block);

-- name: empty
delete from postings p
using unnest(cast(:terms as text[]), cast(:sources as bigint[]), cast(:blocks as bigint[])) as k (term, source_id, block)
where p.index_name = :index and (p.term, p.source_id, p.block) = (k.term, k.source_id, k.block);

-- name: resize
insert into text_sizes as s (index_name, source_id, rows, tokens) values (:index, :source, :rows, :tokens)
on conflict (source_id, index_name) do update set rows = s.rows + excluded.rows, tokens = s.tokens + excluded.tokens, version = excluded.version;

-- name: size
-- How many rows these sources have, how many tokens those have, and what is another number when any of them has changed.
select cast(coalesce(sum(rows), 0) as bigint), cast(coalesce(sum(tokens), 0) as bigint), coalesce(sum(version), 0)
from text_sizes where index_name = :index and source_id = any(:sources);

-- name: versions
select source_id, version from text_sizes where index_name = :index and source_id = any(:sources);

-- name: documents
-- In how much of each of these sources each of the terms stands: eight bytes the source, eight how many bytes it has there.
select term, string_agg(int8send(source_id) || int8send(octet_length(data)), '') from postings
where index_name = :index and term = any(:terms) and source_id = any(:sources)
group by term;

-- name: of_terms
-- The postings of each of the terms, block after block, and of each block its source, its number and its bytes.
select term, string_agg(int8send(source_id) || int8send(block) || int4send(octet_length(data)), ''), string_agg(data, '')
from postings
where index_name = :index and term = any(:terms) and source_id = any(:sources)
group by term;

-- name: of_terms_in_blocks
select term, string_agg(int8send(source_id) || int8send(block) || int4send(octet_length(data)), ''), string_agg(data, '')
from postings
where index_name = :index and term = any(:terms) and source_id = any(:sources) and block = any(:blocks)
group by term;

-- name: of_terms_between
select term, string_agg(int8send(source_id) || int8send(block) || int4send(octet_length(data)), ''), string_agg(data, '')
from postings
where index_name = :index and term >= :first and term < :last and source_id = any(:sources)
group by term;

-- name: readable_facts
-- Those of the facts whose record is not gone.
select f.id from facts f join records r on r.id = f.record_id where f.id = any(:ids) and r.gone_at is null;

-- name: readable_passages
-- Those of the passages whose record is not gone.
select p.id from passages p join records r on r.id = p.record_id where p.id = any(:ids) and r.gone_at is null;

-- name: unverified
-- The unverified passages of these sources.
select p.id from records r join passages p on p.record_id = r.id
where r.vouched is not null and (r.vouched = 0 or p.end_ > r.vouched) and r.source_id = any(:sources);

-- name: records
select distinct record_id from passages where id = any(:ids);

-- name: sizes
select source_id, rows, tokens from text_sizes where index_name = :index;

-- name: next_facts
select id, source_id, array[statement, parts] from facts where id > :after order by id limit :most;

-- name: next_passages
select id, source_id, array[context, body, parts] from passages where id > :after order by id limit :most;

-- name: next_postings
select term, source_id, block, data from postings
where index_name = :index and (source_id, term, block) > (:after_source, :after, :after_block)
order by source_id, term, block limit :most;

-- name: forget_postings
delete from postings where index_name = :index;

-- name: forget_sizes
delete from text_sizes where index_name = :index;

-- name: take_in_facts
insert into text_changes (index_name, id, source_id) select 'f', id, source_id from facts;

-- name: take_in_passages
insert into text_changes (index_name, id, source_id) select 'p', id, source_id from passages;

-- name: is_current
select to_regclass('postings_by_term') is not null
    and exists (select from pg_attribute where attrelid = to_regclass('text_sizes') and attname = 'version');

-- name: is_counted
select exists (select from pg_attribute where attrelid = to_regclass('text_sizes') and attname = 'version');

-- name: index_terms
-- By it a term of many sources is read in one stretch.
create index postings_by_term on postings (index_name, term, source_id);

-- name: drop_index
drop table postings, text_sizes, text_changes;
drop function facts_changed(), passages_changed(), source_removed() cascade;
