-- vector_blocks_read.sql: blocks of vectors, whole.
select block, checksum, vectors from vector_blocks where block in (select value from json_each(:blocks));
