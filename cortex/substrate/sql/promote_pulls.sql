-- promote_pulls.sql: what a pull request did, when, by whom; it stopped being true with its revert, or with what replaced
-- it, and of one that was brought back there is a fact of before and one of since.
-- Of one whose title does not say how, it is only told who and when; of a typo and the like there is no fact.
insert into temp.candidates (record_id, kind, statement, start, end_, confidence, valid_from, valid_until)
with told as materialized (
    select d.id, l.state, l.until = '' as stands, b.ref, l.since as at
    from temp.due d
    cross join lineage l on l.record_id = d.id
    cross join records b on b.id = l.by_record_id
    where d.type = 'pull'
), clauses as (
    -- a pull request tells more of it than its commit does; of those that no longer stand the last
    select id, state, stands, at,
        iif(state = 'reverted', ', reverted by ', ', brought back by ')
        || iif(ref glob 'pull:*', 'PR #' || substr(ref, 6), replace(ref, ':', ' ')) || coalesce(' on ' || nullif(substr(at, 1, 10), ''), '') as said
    from (
        select *, row_number() over (
            partition by id, state order by stands desc, ref glob 'pull:*' desc, at desc, ref
        ) as place from told where state in ('reverted', 'reinstated')
    ) where place = 1
), intervals(id, said, since, until) as (
    select d.id, coalesce(gone.said, back.said, ''), null, coalesce(gone.at, (
        select min(t.at) from told t
        where t.id = d.id and t.stands and t.state in ('superseded', 'removed') and r.merged_at <= t.at
    ))
    from temp.due d
    cross join records r on r.id = d.id
    left join clauses gone on gone.id = d.id and gone.state = 'reverted'
    left join clauses back on back.id = d.id and back.state = 'reinstated' and back.stands
    where d.type = 'pull' and (gone.id is null or back.id is null)
    union all -- until it was taken back, and since it was brought back
    select gone.id, gone.said || iif(again, back.said, ''), iif(again, back.at, null), iif(again, null, gone.at)
    from clauses gone
    cross join clauses back on back.id = gone.id and back.state = 'reinstated' and back.stands
    cross join (select 0 as again union all select 1)
    where gone.state = 'reverted'
)
select
    r.id,
    iif(d.untold, 'change', kind_of(r.type, r.title, r.labels, r.state, r.body)),
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
    select due.id, is_vague(r.title) as untold
    from temp.due cross join records r on r.id = due.id
    where due.type = 'pull' and not is_trivial(r.title, r.author)
) d
cross join records r on r.id = d.id
cross join intervals i on i.id = d.id
where trim(r.title) <> ''
