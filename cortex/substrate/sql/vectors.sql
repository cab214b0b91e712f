-- name: passages_encoded
-- Those of the passages that have a vector and may be read.
select passages.id
from json_each(:ids) as found
cross join encoded on encoded.passage_id = found.value
cross join passages on passages.id = found.value
cross join records on records.id = passages.record_id
where records.gone_at is null
    and (:sources is null or passages.source_id in (select value from json_each(:sources)));

-- name: passages_unencoded
-- Passages without a vector.
select id from passages where id not in (select passage_id from encoded) order by id;

-- name: put_vector_block
-- A block of vectors as it is now.
insert into vector_blocks (block, encoder, checksum, vectors) values (:block, :encoder, :checksum, :vectors)
on conflict (block) do update set encoder = excluded.encoder, checksum = excluded.checksum, vectors = excluded.vectors;

-- name: texts_of_passages
-- Passages with all that is searched of them: what they are about, and their text.
select id, context || char(10) || body from passages where id in (select value from json_each(:ids)) order by id;

-- name: vector_blocks_read
-- Blocks of vectors, whole.
select block, checksum, vectors from vector_blocks where block in (select value from json_each(:blocks));
