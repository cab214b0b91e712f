-- Links that no record states but others' links make are told apart: they go when those do.

alter table links add column derived integer not null default 0 check (derived in (0, 1));

update links set derived = 1 where relation = 'follows';
