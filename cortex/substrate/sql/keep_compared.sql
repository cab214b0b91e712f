-- keep_compared.sql: these were compared with all there is.
insert or ignore into compared (fact_id)
select f.id from temp.new_compared n cross join facts f on f.id = n.fact_id
