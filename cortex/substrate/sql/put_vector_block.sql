-- put_vector_block.sql: a block of vectors as it is now.
insert into vector_blocks (block, encoder, checksum, vectors) values (:block, :encoder, :checksum, :vectors)
on conflict (block) do update set encoder = excluded.encoder, checksum = excluded.checksum, vectors = excluded.vectors;
