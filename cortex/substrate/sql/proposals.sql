-- proposals.sql: what became of pull requests, as records tell it and no outcome does yet, the surest telling of each first:
-- reverted; turned down with a reason; followed within :soon days by a fix that names it; its issue open again; merged over
-- an objection; merged before :kept and none of these. Only what somebody of the project stands behind tells.
with pulls as materialized (
    select r.id, r.source_id, r.ref, r.author, coalesce(r.merged_at, r.closed_at) as ended, r.merged_at, r.state
    from records r
    where r.source_id = :source_id and r.type = 'pull' and r.gone_at is null and r.origin <> 'agents'
      and coalesce(r.merged_at, r.closed_at) <= :now and coalesce(r.ref = :ref, true)
      and not exists (
        select 1 from links l cross join records o on o.source_id = l.source_id and o.ref = l.from_ref
        where l.source_id = r.source_id and l.to_ref = r.ref and l.relation = 'mentions' and l.to_source = ''
          and o.type = 'outcome' and o.gone_at is null and o.vouched is null
      )
), told as (
    select p.id, 1 as rank, 'reverted' as how, b.ref as by_ref, l.since as since
    from pulls p cross join lineage l on l.record_id = p.id cross join records b on b.id = l.by_record_id
    where l.state = 'reverted' and l.until = ''
    union all
    select p.id, 2, 'declined', c.ref, p.ended
    from pulls p
    cross join records c on c.source_id = p.source_id and c.thread = p.ref and c.thread <> '' and +c.type = 'comment'
    where p.merged_at is null and p.state <> 'merged' and c.vouched is null and c.gone_at is null and c.author <> p.author
      and exists (select 1 from closings x where x.id = c.id)
      and exists (select 1 from facts f where f.record_id = c.id and f.kind = 'decision')
    union all
    select p.id, 3, 'mended', q.ref, q.merged_at
    from pulls p
    cross join links l on l.source_id = p.source_id and l.to_ref = p.ref and l.relation in ('mentions', 'follows', 'amends') and l.to_source = ''
    cross join records q on q.source_id = l.source_id and q.ref = l.from_ref
    where q.type = 'pull' and q.id <> p.id and q.gone_at is null and q.vouched is null
      and q.merged_at > p.merged_at and q.merged_at < strftime('%Y-%m-%dT%H:%M:%SZ', p.merged_at, :soon || ' days')
      and (exists (select 1 from facts f where f.record_id = q.id and f.kind = 'incident') or exists (
        select 1 from links n cross join records i on i.source_id = n.source_id and i.ref = n.to_ref
        where n.source_id = q.source_id and n.from_ref = q.ref and n.relation = 'fixes' and i.type = 'issue'
          and i.created_at > p.merged_at
      ))
    union all
    select p.id, 4, 'reopened', i.ref, i.updated_at
    from pulls p
    cross join links l on l.source_id = p.source_id and l.from_ref = p.ref and l.relation = 'fixes' and l.to_source = ''
    cross join records i on i.source_id = l.source_id and i.ref = l.to_ref
    where p.merged_at is not null and i.type = 'issue' and i.state = 'open' and i.gone_at is null
    union all
    select p.id, 5, 'objected', c.ref, c.created_at
    from pulls p
    cross join records c on c.source_id = p.source_id and c.thread = p.ref and c.thread <> '' and +c.type = 'comment'
    where p.merged_at is not null and c.state = 'changes_requested' and c.vouched is null and c.gone_at is null
      and not exists (
        select 1 from records a
        where a.source_id = c.source_id and a.thread = c.thread and +a.type = 'comment' and a.author = c.author
          and a.state = 'approved' and a.created_at >= c.created_at
      )
    union all
    select p.id, 6, 'kept', '', p.merged_at from pulls p where p.merged_at <= :kept
)
select id, how, by_ref, since
from (select *, row_number() over (partition by id order by rank, since, by_ref) as place from told)
where place = 1
order by rank = 6, since desc, id
limit :limit
