-- read_again.sql: records of what leaves count as not read, and the next full reading replaces them; what was recorded
-- by hand nobody can read again.
update records set content_hash = ''
where id in (select f.record_id from temp.leaving l join facts f on f.id = l.fact_id)
  and origin not in ('agents', 'remembered')
