-- works.sql: some issues, pull requests, commits and outcomes as pieces of work, with what was known at :until: what was
-- changed, by whom, what became of it, and why, as a fact tells it.
with asked as materialized (
    select
        a.key as place, r.*, coalesce(r.merged_at <= :until, r.state = 'merged') as merged,
        coalesce(r.closed_at <= :until, r.state not in ('', 'open', 'merged') and r.closed_at is null) as closed
    from json_each(:ids) a cross join records r on r.id = a.value
), made as materialized ( -- the commits of each
    select id, source_id, ref from asked where type = 'commit'
    union
    select a.id, a.source_id, l.to_ref from asked a
    cross join links l on l.source_id = a.source_id and l.from_ref = a.ref and l.relation = 'merges' and l.to_source = ''
    where a.type = 'pull'
    union
    select a.id, a.source_id, l.from_ref from asked a
    cross join links l on l.source_id = a.source_id and l.to_ref = a.ref and l.relation = 'merges' and l.to_source = ''
    where a.type = 'pull'
), wrote as materialized ( -- and those that came with a merge of them
    select m.id, m.source_id, m.ref from made m
    cross join records c on c.source_id = m.source_id and c.ref = m.ref and c.created_at <= :until
    union
    select m.id, m.source_id, l.from_ref from made m
    cross join records c on c.source_id = m.source_id and c.ref = m.ref and c.created_at <= :until
    cross join links l on l.source_id = m.source_id and l.to_ref = m.ref and l.relation = 'came_with' and l.to_source = ''
), undone as materialized (
    select a.id, l.state, b.id as by_id, b.ref as by_ref, b.title as by_title, row_number() over (partition by a.id order by l.since desc) as place
    from asked a
    cross join lineage l on l.record_id = a.id
    cross join records b on b.id = l.by_record_id
    where l.state in ('reverted', 'superseded') and substr(l.since, 1, length(:until)) <= :until
      and (l.until = '' or substr(l.until, 1, length(:until)) > :until)
), said as materialized ( -- why: in what took it back, among its remarks, first in that which closed it, or in its own text
    select u.id, f.handle, f.excerpt, 0 as rank, f.id as fact_id from undone u cross join facts f on f.record_id = u.by_id
    where u.place = 1 and f.kind in ('decision', 'incident') and f.start >= length(u.by_title) and f.excerpt not like '%reverts commit%'
    union all
    select a.id, f.handle, f.excerpt, iif(exists (select 1 from closings x where x.id = c.id), 0, 1), -f.id
    from asked a
    cross join records c on c.source_id = a.source_id and c.thread = a.ref
    cross join facts f on f.record_id = c.id
    where a.closed and not a.merged and c.thread <> '' and +c.type = 'comment' and c.created_at <= :until and c.gone_at is null
      and (f.kind = 'decision' or f.kind = 'change' and a.type = 'pull') and c.vouched is null
    union all -- why it was done, in its own words
    select a.id, f.handle, f.excerpt, 2, f.id
    from asked a cross join facts f on f.record_id = a.id
    where f.kind in ('decision', 'incident') and f.path = 'promotion' and f.start >= length(a.title) and (a.merged or a.type = 'commit') and a.vouched is null
      and a.id not in (select id from undone) and instr(f.statement, substr(f.excerpt, 1, 12)) > 0
)
select
    a.id, s.name as source, a.ref, a.type, a.title, a.url, a.author, a.merged_by, a.state, a.authority, a.merged, a.closed,
    a.created_at as opened, iif(a.merged, a.merged_at, iif(a.closed, a.closed_at, null)) as ended,
    u.state as undone, u.by_ref as undone_by, w.handle as why_handle,
    iif(a.type = 'outcome', trim(substr(a.body, length(a.title) + 1), char(10)), w.excerpt) as why,
    coalesce((
        select f.handle from facts f
        where f.record_id = a.id and f.path = 'promotion' and f.kind <> 'cross_repo' and (f.end_ > a.vouched) is (a.vouched < length(a.title)) -- as verified as the title
        order by f.id limit 1
    ), a.ref) as handle,
    a.vouched is not null and a.vouched < length(a.title) as unverified,
    (select count(*) from wrote w where w.id = a.id) as commits,
    (
        select json_group_array(path) from (
            select substr(l.to_ref, 6) as path from wrote w
            cross join links l on l.source_id = w.source_id and l.from_ref = w.ref and l.relation = 'touches' and l.to_source = ''
            where w.id = a.id group by path order by count(*) desc, path
        )
    ) as files,
    (
        select json_group_array(distinct c.author) from records c
        where c.source_id = a.source_id and c.thread = a.ref and c.thread <> '' and c.state in ('approved', 'changes_requested')
          and c.author not in ('', a.author) and c.created_at <= :until and c.gone_at is null
    ) as reviewers,
    (
        select json_group_array(distinct l.to_ref) from links l
        where l.source_id = a.source_id and l.from_ref = a.ref and l.to_source = ''
          and (l.relation = 'fixes' or a.type = 'outcome' and l.relation = 'mentions')
          and not exists ( -- that an issue which is open was fixed, an outsider's text alone does not say
            select 1 from records w cross join records t on t.source_id = w.source_id and t.ref = l.to_ref
            where w.id = a.id and w.type = 'pull' and w.vouched is not null and t.type = 'issue' and t.closed_at is null
          )
    ) as fixes
from asked a
cross join sources s on s.id = a.source_id
left join undone u on u.id = a.id and u.place = 1
left join said w on w.fact_id = (select x.fact_id from said x where x.id = a.id order by x.rank, x.fact_id limit 1) and w.id = a.id
order by a.place
