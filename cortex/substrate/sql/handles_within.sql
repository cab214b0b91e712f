-- handles_within.sql: which of these handles are of facts of some sources, whether they stand or were taken out.
select f.handle from json_each(:handles) asked cross join facts f on f.handle = asked.value
where f.source_id in (select value from json_each(:sources))
union
select a.handle from json_each(:handles) asked cross join facts_archive a on a.handle = asked.value
where a.source_id in (select value from json_each(:sources))
