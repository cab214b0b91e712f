-- named_records.sql: the records of the sources between two refs, each with the fact that says where it stands.
select r.id, (
    select f.id from facts f where f.record_id = r.id and f.path = 'promotion' and f.kind <> 'cross_repo'
    order by iif(f.valid_until is null, 0, exists (select 1 from facts n where n.record_id = f.record_id and n.valid_from >= f.valid_until
            and n.id <> f.id and (n.start, n.end_) = (f.start, f.end_))), f.id limit 1
)
from json_each(:refs) named
cross join json_each(:sources) source
cross join records r on r.source_id = source.value and r.ref between named.value ->> 0 and named.value ->> 1
where r.gone_at is null
