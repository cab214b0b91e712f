-- standing_facts.sql: for each of these records the fact that tells where it stands, where it has one.
select r.value, (
    select f.id from facts f where f.record_id = r.value and f.path = 'promotion' and f.kind <> 'cross_repo' order by f.id limit 1
)
from json_each(:ids) r
