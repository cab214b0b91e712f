-- keep_comparisons.sql: the keys of facts that still stand, for whatever comes after them.
insert or ignore into comparisons (key, fact_id)
select n.key, n.fact_id from temp.new_comparisons n
where exists (select 1 from facts f where f.id = n.fact_id)
order by n.key, n.fact_id
