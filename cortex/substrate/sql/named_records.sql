-- named_records.sql: the records these refs name in any of the sources, each with the fact that says where it stands.
select r.id, (
    select f.id from facts f where f.record_id = r.id and f.path = 'promotion' and f.kind <> 'cross_repo' order by f.id limit 1
)
from json_each(:sources) source
cross join json_each(:refs) named
cross join records r on r.source_id = source.value and r.ref = named.value
where r.gone_at is null
