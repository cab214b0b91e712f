-- put_passages.sql: the passages that a batch of records was cut into.
insert into passages (source_id, record_id, start, end_, context, body, parts)
select source_id, record_id, start, end_, context, body, parts from temp.cut order by rowid
