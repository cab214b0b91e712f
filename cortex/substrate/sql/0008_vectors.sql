-- Vectors of passages, where an encoder is installed: what means the same in other words is found by them.

create table encoded (
    passage_id integer primary key references passages (id) on delete cascade -- its vector is of the text it has
) strict;

create table vector_blocks (
    block integer primary key,                  -- of passages 512 * block to 512 * block + 511
    encoder text not null,                      -- the model and its dimensions: one for a whole brain
    checksum integer not null,                  -- CRC-32 of the vectors, by which a process knows those it has read
    vectors blob not null                       -- 512 of as many signed bytes as the encoder has dimensions
) strict;
