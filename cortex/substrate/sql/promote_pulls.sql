-- promote_pulls.sql: what a pull request did, when, by whom; one that was reverted, and
-- not brought back since, stopped being true with its revert.
-- Of one whose title says nothing, or not how, it is only told who and when.
insert into temp.candidates (record_id, kind, statement, start, end_, confidence, valid_from, valid_until)
with reverts as (
    select d.id as taken_back, v.ref, coalesce(v.merged_at, v.created_at) as at
    from temp.due d
    cross join records r on r.id = d.id
    cross join links l on l.source_id = r.source_id and l.to_ref = r.ref and l.relation = 'reverts' and l.to_source = ''
    cross join records v on v.source_id = l.source_id and v.ref = l.from_ref
    where d.type = 'pull' and v.gone_at is null and (v.type = 'commit' or v.merged_at is not null)
      and not exists (
          select 1 from links b
          cross join records w on w.source_id = b.source_id and w.ref = b.from_ref
          where b.source_id = l.source_id and b.to_source = '' and b.to_ref = l.to_ref and b.relation = 'reapplies'
            and w.gone_at is null and (w.type = 'commit' or w.merged_at is not null)
            and iif(
                coalesce(w.merged_at, w.created_at) >= coalesce(v.merged_at, v.created_at),
                not exists (
                    select 1 from links n where n.source_id = l.source_id and n.from_ref = v.ref
                        and n.relation = 'follows' and n.to_source = '' and n.to_ref = w.ref
                ),
                exists (
                    select 1 from links n where n.source_id = l.source_id and n.from_ref = w.ref
                        and n.relation = 'follows' and n.to_source = '' and n.to_ref = v.ref
                )
            )
      )
), first_reverts as materialized (
    -- a pull request tells more of a revert than its commit does; of two the earlier took it back
    select taken_back, at, ref from (
        select *, row_number() over (partition by taken_back order by ref glob 'pull:*' desc, at, ref) as place from reverts
    ) where place = 1
)
select
    r.id,
    iif(d.untold, 'process', kind_of(r.type, r.title, r.labels)),
    'PR #' || substr(r.ref, 6) || iif(d.untold, ' "' || trim(r.title) || '" (', ' (')
    || case
        when r.state = 'merged' or r.merged_at is not null then
            iif(r.author <> '' and r.author = r.merged_by, 'written and ', '')
            || 'merged' || coalesce(' ' || substr(r.merged_at, 1, 10), '') || iif(r.merged_by <> '', ' by ' || r.merged_by, '')
        when r.state = 'open' then 'open since ' || coalesce(substr(r.created_at, 1, 10), 'an unknown day')
        else 'closed unmerged' || coalesce(' ' || substr(r.closed_at, 1, 10), '') || iif(r.closed_by <> '', ' by ' || r.closed_by, '')
    end
    || iif(r.author not in ('', r.merged_by), ', written by ' || r.author, '')
    || coalesce(', reverted by ' || iif(v.ref glob 'pull:*', 'PR #' || substr(v.ref, 6), replace(v.ref, ':', ' '))
        || coalesce(' on ' || substr(v.at, 1, 10), ''), '')
    || iif(r.labels <> '[]', labelled(r.labels), '')
    || iif(d.untold, ')', '): ' || trim(r.title)),
    0, title_end(r.title, r.body), 0.95, coalesce(r.merged_at, r.created_at), v.at
from (
    select due.id, says_nothing(r.title, r.author) or is_vague(r.title) as untold
    from temp.due cross join records r on r.id = due.id
    where due.type = 'pull'
) d
cross join records r on r.id = d.id
left join first_reverts v on v.taken_back = d.id
where trim(r.title) <> ''
