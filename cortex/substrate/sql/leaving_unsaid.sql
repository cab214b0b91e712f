-- leaving_unsaid.sql: what leaves is said no more.
insert into temp.unsaid (handle) select s.handle from temp.leaving l cross join temp.noted s on s.fact_id = l.fact_id
