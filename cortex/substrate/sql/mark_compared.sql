-- mark_compared.sql: remember of facts that still stand that their keys are in comparisons.
insert or ignore into compared (fact_id)
select f.id from json_each(:ids) asked cross join facts f on f.id = asked.value
