-- facts_standing.sql: facts of some records, or some facts, with all that tells whether they still stand.
select
    f.id, f.record_id, f.source_id, f.handle, f.kind, f.statement, f.excerpt, f.authority, f.confidence,
    s.name as source, r.ref, r.type, r.title, r.url, r.path, r.state, r.author, r.association, f.valid_from, f.valid_until,
    r.created_at, r.merged_at, r.closed_at, coalesce(f.end_ > r.vouched or r.vouched = 0, 0) as unverified,
    exists (
        select 1 from records t where t.source_id = r.source_id and t.ref = r.thread and t.vouched < length(t.title)
    ) as under_unverified,
    (
        select json_array(x.ref, coalesce(x.merged_at, x.created_at), l.relation)
        from links l
        cross join records x on x.source_id = l.source_id and x.ref = l.from_ref
        where l.source_id = r.source_id and l.to_source = '' and l.relation in ('supersedes', 'reverts')
          and l.to_ref in (r.ref, 'doc:' || r.path) and (x.type <> 'pull' or x.merged_at is not null)
          and x.type <> 'comment' and (x.type <> 'issue' or r.type = 'issue')
          and (l.relation = 'supersedes' or not exists (
              select 1 from links b
              cross join records w on w.source_id = b.source_id and w.ref = b.from_ref
              where b.source_id = l.source_id and b.to_source = '' and b.to_ref = l.to_ref and b.relation = 'reapplies'
                and w.gone_at is null and (w.type = 'commit' or w.merged_at is not null)
                and iif(
                    coalesce(w.merged_at, w.created_at) >= coalesce(x.merged_at, x.created_at),
                    not exists (
                        select 1 from links n where n.source_id = l.source_id and n.from_ref = x.ref
                            and n.relation = 'follows' and n.to_source = '' and n.to_ref = w.ref
                    ),
                    exists (
                        select 1 from links n where n.source_id = l.source_id and n.from_ref = w.ref
                            and n.relation = 'follows' and n.to_source = '' and n.to_ref = x.ref
                    )
                )
          ))
        order by x.created_at
        limit 1
    ) as replaced,
    (
        select l.to_ref from links l
        where l.source_id = r.source_id and l.from_ref = r.ref and l.relation = 'superseded_by' limit 1
    ) as superseded_by
from json_each(:chosen) c
cross join facts f on f.id = c.value
cross join records r on r.id = f.record_id
cross join sources s on s.id = f.source_id
where r.gone_at is null and f.source_id in (select value from json_each(:sources))
order by c.key
