-- name: passages_encoded
-- Those of the passages that have a vector and may be read.
select passages.id, passages.record_id
from json_each(:ids) as found
cross join encoded on encoded.passage_id = found.value
cross join passages on passages.id = found.value
cross join records on records.id = passages.record_id
where records.gone_at is null
    and (:sources is null or passages.source_id in (select value from json_each(:sources)));

-- name: checksums
-- The checksum of each block of an encoder, or of those of some blocks.
select block, checksum from vector_blocks
where encoder = :encoder and (:blocks is null or block in (select value from json_each(:blocks)));

-- name: blocks
select block, checksum, vectors from vector_blocks where block in (select value from json_each(:blocks));

-- name: blocks_of_sources
-- The blocks in which passages of these sources have their vectors.
select distinct p.id / :size
from json_each(:sources) s
cross join records r on r.source_id = s.value
cross join passages p on p.record_id = r.id;

-- name: texts
-- What passages are about and what they say.
select id, context, body from passages where id in (select value from json_each(:ids)) order by id;

-- name: put_block
insert into vector_blocks (block, encoder, checksum, vectors) values (:block, :encoder, :checksum, :vectors)
on conflict (block) do update set
    encoder = excluded.encoder, checksum = excluded.checksum, vectors = excluded.vectors;

-- name: unencoded
-- Passages without a vector, or all where each is to be made anew; of these alone where some are given.
select id from passages
where (:anew or id not in (select passage_id from encoded))
  and (:ids is null or id in (select value from json_each(:ids)))
order by id;
