-- leaving_unsaid.sql: what leaves is said no more.
insert or ignore into temp.unsaid (handle) select f.handle from temp.leaving l cross join facts f on f.id = l.fact_id
