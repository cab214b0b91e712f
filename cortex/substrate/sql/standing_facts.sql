-- standing_facts.sql: for each of these records the fact that tells where it stands, where it has one.
select r.value, (
    select f.id from facts f where f.record_id = r.value and f.path = 'promotion' and f.kind <> 'cross_repo'
    order by iif(f.valid_until is null, 0, exists (select 1 from facts n where n.record_id = f.record_id and n.valid_from >= f.valid_until
            and n.id <> f.id and (n.start, n.end_) = (f.start, f.end_))), f.id limit 1
)
from json_each(:ids) r
