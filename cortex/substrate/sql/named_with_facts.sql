-- named_with_facts.sql: the issues and pull requests that are called so, each with the fact that tells where it stands.
select r.id, (
    select f.id from facts f where f.record_id = r.id and f.path = 'promotion' and f.kind <> 'cross_repo'
    order by iif(f.valid_until is null, 0, exists (select 1 from facts n where n.record_id = f.record_id and n.valid_from >= f.valid_until
            and n.id <> f.id and (n.start, n.end_) = (f.start, f.end_))), f.id limit 1
), count(*) over ()
from json_each(:sources) s
cross join json_each(:refs) asked
cross join records r on r.source_id = s.value and r.ref = asked.value
where r.gone_at is null and (:as_of = '' or r.created_at <= :as_of)
limit :limit
