-- named_with_facts.sql: the issues and pull requests that are called so, each with the fact that tells where it stands.
select r.id, (
    select f.id from facts f where f.record_id = r.id and f.path = 'promotion' and f.kind <> 'cross_repo' order by f.id limit 1
), count(*) over ()
from json_each(:sources) s
cross join json_each(:refs) asked
cross join records r on r.source_id = s.value and r.ref = asked.value
where r.gone_at is null and (:as_of = '' or r.created_at <= :as_of)
limit :limit
