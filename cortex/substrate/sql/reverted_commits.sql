-- reverted_commits.sql: the commits that were taken back and not brought back since, the latest first, each with the fact
-- that tells where it stands, and how many there are.
with taken as materialized (
    select distinct l.source_id, l.to_ref
    from json_each(:sources) s
    cross join links l on l.source_id = s.value and l.relation = 'reverts' and l.to_source = '' and l.to_ref glob 'commit:*'
    cross join records v on v.source_id = l.source_id and v.ref = l.from_ref
    where v.gone_at is null and (v.type = 'commit' or v.merged_at is not null) and not exists (
        select 1 from links b
        cross join records w on w.source_id = b.source_id and w.ref = b.from_ref
        where b.source_id = l.source_id and b.to_source = '' and b.to_ref = l.to_ref and b.relation = 'reapplies'
          and w.gone_at is null and (w.type = 'commit' or w.merged_at is not null)
          and coalesce(w.merged_at, w.created_at) >= coalesce(v.merged_at, v.created_at)
          and not exists (
            select 1 from links n where n.source_id = l.source_id and n.from_ref = v.ref and n.relation = 'follows'
              and n.to_source = '' and n.to_ref = w.ref
        )
    )
)
select r.id, (
    select f.id from facts f where f.record_id = r.id and f.path = 'promotion' and f.kind <> 'cross_repo' order by f.id limit 1
), count(*) over ()
from taken t cross join records r on r.source_id = t.source_id and r.ref = t.to_ref
where r.type = 'commit' and r.gone_at is null
order by r.created_at desc, r.id desc
limit :limit
