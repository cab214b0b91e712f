-- facts_standing.sql: facts of some records, or some facts, with all that tells whether they still stand.
select
    f.id, f.record_id, f.source_id, f.handle, f.kind, f.statement, f.excerpt, f.authority, f.confidence,
    s.name as source, r.ref, r.type, r.title, r.url, r.path, r.state, r.author, r.association, f.valid_from, f.valid_until,
    r.created_at, r.merged_at, r.closed_at, coalesce(f.end_ > r.vouched or r.vouched = 0, 0) as unverified,
    exists (
        select 1 from records t where t.source_id = r.source_id and t.ref = r.thread and t.vouched < length(t.title)
    ) as under_unverified,
    (
        select json_array(x.ref, l.since, l.state)
        from records d
        cross join lineage l on l.record_id = d.id
        cross join records x on x.id = l.by_record_id
        where d.source_id = r.source_id and d.ref in (r.ref, 'doc:' || r.path)
            and l.state in ('superseded', 'reverted', 'removed') and l.until = '' and x.id <> d.id
        order by l.since
        limit 1
    ) as replaced
from json_each(:chosen) c
cross join facts f on f.id = c.value
cross join records r on r.id = f.record_id
cross join sources s on s.id = f.source_id
where r.gone_at is null and f.source_id in (select value from json_each(:sources))
order by c.key
