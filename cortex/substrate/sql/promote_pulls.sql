-- promote_pulls.sql: what a pull request did, when, by whom; it stopped being true with its revert, or with what replaced
-- it, and of one that was brought back there is a fact of before and one of since.
-- Of one whose title says nothing, or not how, it is only told who and when.
insert into temp.candidates (record_id, kind, statement, start, end_, confidence, valid_from, valid_until)
with told as materialized (
    -- what takes a pull request back, brings it back or replaces it; `stands` where nothing brought it back since
    select d.id, l.relation, v.ref, coalesce(v.merged_at, v.created_at) as at, l.relation = 'reverts' and not exists (
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
      ) as stands, (
          select count(*) from links n where n.source_id = l.source_id and n.from_ref = v.ref and n.relation = 'follows'
      ) as follows
    from temp.due d
    cross join records r on r.id = d.id
    cross join links l on l.source_id = r.source_id and l.to_ref = r.ref and l.to_source = ''
      and l.relation in ('reverts', 'reapplies', 'supersedes', 'revalues')
    cross join records v on v.source_id = l.source_id and v.ref = l.from_ref
    where d.type = 'pull' and v.gone_at is null and v.type in ('pull', 'commit') and v.ref <> r.ref
      and (v.type = 'commit' or v.merged_at is not null)
), clauses as (
    -- a pull request tells more of it than its commit does; of two that took it back the earlier did, of those that no
    -- longer stand the last, as of those that brought it back
    select id, relation, stands, at,
        case relation when 'reverts' then ', reverted by ' else ', brought back by ' end
        || iif(ref glob 'pull:*', 'PR #' || substr(ref, 6), replace(ref, ':', ' ')) || coalesce(' on ' || substr(at, 1, 10), '') as said
    from (
        select *, row_number() over (
            partition by id, relation, stands order by ref glob 'pull:*' desc, iif(stands, at, null), at desc, follows desc, ref
        ) as place from told where relation in ('reverts', 'reapplies')
    ) where place = 1
), standing as (
    select id, at, said from clauses where stands
), intervals(id, said, since, until) as (
    select d.id, coalesce(v.said, ''), null, coalesce(v.at, (
        select min(t.at) from told t where t.id = d.id and t.relation in ('supersedes', 'revalues') and r.merged_at <= t.at
    ))
    from temp.due d
    cross join records r on r.id = d.id
    left join standing v on v.id = d.id
    where d.type = 'pull' and (v.id is not null or not exists (
        select 1 from clauses gone join clauses back on back.id = gone.id and back.relation = 'reapplies'
        where gone.id = d.id and gone.relation = 'reverts'
    ))
    union all -- until it was taken back, and since it was brought back
    select gone.id, gone.said || iif(again, back.said, ''), iif(again, back.at, null), iif(again, null, gone.at)
    from clauses gone
    cross join clauses back on back.id = gone.id and back.relation = 'reapplies'
    cross join (select 0 as again union all select 1)
    where gone.relation = 'reverts' and gone.id not in (select id from standing)
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
    || i.said
    || iif(r.labels <> '[]', labelled(r.labels), '')
    || iif(d.untold, ')', '): ' || trim(r.title)),
    0, title_end(r.title, r.body), 0.95, coalesce(i.since, r.merged_at, r.created_at), i.until
from (
    select due.id, says_nothing(r.title, r.author) or is_vague(r.title) as untold
    from temp.due cross join records r on r.id = due.id
    where due.type = 'pull'
) d
cross join records r on r.id = d.id
cross join intervals i on i.id = d.id
where trim(r.title) <> ''
