-- promote_pulls.sql: what a pull request did, when, by whom; one that was reverted stopped being true with its revert.
insert into temp.candidates (record_id, kind, statement, start, end_, confidence, valid_from, valid_until)
select
    r.id,
    kind_of(r.type, r.title, r.labels, r.path),
    'PR #' || substr(r.ref, 6) || ' ('
    || case
        when r.merged_at is not null then 'merged ' || substr(r.merged_at, 1, 10) || iif(r.merged_by <> '', ' by ' || r.merged_by, '')
        when r.state = 'open' then 'open since ' || coalesce(substr(r.created_at, 1, 10), 'an unknown day')
        when r.state = 'merged' then 'merged'
        else 'closed unmerged' || coalesce(' ' || substr(r.closed_at, 1, 10), '')
    end
    || iif(r.author <> '' and (r.merged_at is null or r.author <> r.merged_by), ', written by ' || r.author, '')
    || coalesce((
        select ', reverted by ' || iif(v.ref glob 'pull:*', 'PR #' || substr(v.ref, 6), v.ref)
            || coalesce(' on ' || substr(coalesce(v.merged_at, v.created_at), 1, 10), '')
        from links l cross join records v on v.source_id = l.source_id and v.ref = l.from_ref
        where l.source_id = r.source_id and l.to_ref = r.ref and l.relation = 'reverts' and l.to_source = ''
          and v.gone_at is null and (v.type = 'commit' or v.merged_at is not null)
        order by v.type desc, v.ref limit 1
    ), '')
    || '): ' || r.title,
    0, title_end(r.title, r.body), 0.95,
    coalesce(r.merged_at, r.created_at),
    (
        select min(coalesce(v.merged_at, v.created_at))
        from links l cross join records v on v.source_id = l.source_id and v.ref = l.from_ref
        where l.source_id = r.source_id and l.to_ref = r.ref and l.relation = 'reverts' and l.to_source = ''
          and v.gone_at is null and (v.type = 'commit' or v.merged_at is not null)
    )
from temp.due cross join records r on r.id = due.id
where r.type = 'pull' and trim(r.title) <> ''
