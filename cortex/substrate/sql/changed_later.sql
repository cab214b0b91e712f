-- changed_later.sql: the pull requests merged later than these that speak of them and say that they replace, raise, lower,
-- change or take back something of theirs, the latest first.
select r.id, (
    select f.id from facts f where f.record_id = r.id and f.path = 'promotion' and f.kind <> 'cross_repo'
    order by iif(f.valid_until is null, 0, exists (select 1 from facts n where n.record_id = f.record_id and n.valid_from >= f.valid_until
            and n.id <> f.id and (n.start, n.end_) = (f.start, f.end_))), f.id limit 1
), count(*) over ()
from json_each(:sources) s
cross join json_each(:refs) asked
cross join records old on old.source_id = s.value and old.ref = asked.value
cross join links l on l.source_id = old.source_id and l.to_ref = old.ref and l.to_source = '' and l.relation in ('mentions', 'reverts_part')
cross join records r on r.source_id = l.source_id and r.ref = l.from_ref
where r.type = 'pull' and r.merged_at > coalesce(old.merged_at, old.created_at) and r.gone_at is null
    and (:as_of = '' or r.merged_at <= :as_of)
    and exists (
        select 1 from json_each('["replac", "rais", "lower", "chang", "remov", "instead of", "no longer", "undo", "drop"]') verb
        where lower(r.body) like '%' || verb.value || '%#' || substr(old.ref, instr(old.ref, ':') + 1) || '%'
    )
order by r.merged_at desc
limit :limit
