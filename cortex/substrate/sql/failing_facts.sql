-- failing_facts.sql: facts that a verification found wrong, to be made again from their records.
insert or ignore into temp.leaving (fact_id, reason)
select id, 'verify found it wrong' from facts where handle in (select value from json_each(:handles))
