-- pulls_speaking_of.sql: the pull requests that speak of one merged before them and of what they remove, or what was so
-- since, each with its title, and with what that is called.
select r.ref, r.title, r.body, t.ref, t.title
from records r
cross join links l on l.source_id = r.source_id and l.from_ref = r.ref and l.relation = 'mentions' and l.to_source = ''
cross join records t on t.source_id = l.source_id and t.ref = l.to_ref
where r.source_id = :source_id and r.type = 'pull' and r.gone_at is null and (r.vouched is null or r.merged_at is null)
  and t.type = 'pull' and t.gone_at is null
  and t.ref <> r.ref and t.merged_at < coalesce(r.merged_at, r.created_at)
  and (r.body like '%remov%' or r.body like '%drop%' or r.body like '%delet%' or r.body like '% since %'
    or r.title like '%disable %' or r.title like '% off %' or r.title like '%get rid of %' or r.title like '%rip out %')
