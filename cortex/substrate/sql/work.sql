-- name: works
-- Some issues, pull requests, commits and outcomes as pieces of work, with what was known at :until: what was
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
), partly as materialized ( -- a part of it, by what says so
    select t.id, b.id as by_id, b.ref as by_ref, b.title as by_title, max(( -- which the index of what leads to a record has not
        select 1 - d.derived from links d
        where d.source_id = l.source_id and d.from_ref = l.from_ref and d.relation = l.relation and d.to_source = '' and d.to_ref = l.to_ref
    )) as told
    from (select id, source_id, ref from asked union select id, source_id, ref from made) t
    cross join links l on l.source_id = t.source_id and l.to_ref = t.ref and l.relation = 'reverts_part' and l.to_source = ''
    cross join records b on b.source_id = l.source_id and b.ref = l.from_ref
    where b.type in ('pull', 'commit') and b.id <> t.id and b.gone_at is null and b.vouched is null
      and coalesce(b.merged_at, iif(b.type = 'commit', b.created_at, null)) <= :until and t.id not in (select id from undone)
      and b.ref not in (select m.ref from wrote m where m.id = t.id)
    group by t.id, b.id, b.ref, b.title
), ended as materialized (
    select id, state, by_id, by_ref, by_title, place, 1 as told from undone
    union all
    select id, 'partly reverted', by_id, by_ref, by_title, row_number() over (partition by id order by told desc, by_ref), told from partly
), said as materialized ( -- why: in what took it back, among its remarks, first in that which closed it, or in its own text
    select u.id, f.handle, f.excerpt, 0 as rank, f.id as fact_id from ended u cross join facts f on f.record_id = u.by_id
    where u.place = 1 and f.kind in ('decision', 'incident', 'change') and f.path = 'promotion' and f.start >= length(u.by_title) and (f.excerpt not like '%reverts commit%' or length(f.excerpt) > instr(f.excerpt, 'reverts commit') + 80) -- more than a hash
    union all
    select a.id, f.handle, f.excerpt, iif(exists (select 1 from closings x where x.id = c.id), 0, 1), -f.id
    from asked a
    cross join records c on c.source_id = a.source_id and c.thread = a.ref
    cross join facts f on f.record_id = c.id
    where a.closed and not a.merged and c.thread <> '' and +c.type = 'comment' and c.created_at <= :until and c.gone_at is null
      and f.kind in ('decision', 'change') and (f.kind = 'decision' or a.type = 'pull' or exists (select 1 from closings x where x.id = c.id)) and c.vouched is null
    union all -- why it was done, in its own words
    select a.id, f.handle, f.excerpt, 2, f.id
    from asked a cross join facts f on f.record_id = a.id
    where f.kind in ('decision', 'incident', 'change') and f.path = 'promotion' and f.start >= length(a.title) and (a.merged or a.type = 'commit') and a.vouched is null
      and a.id not in (select id from ended) and instr(f.statement, substr(f.excerpt, 1, 12)) > 0
    union all -- or in those of its commits
    select m.id, f.handle, f.excerpt, 3, f.id
    from made m cross join records c on c.source_id = m.source_id and c.ref = m.ref cross join facts f on f.record_id = c.id
    where c.id <> m.id and f.kind in ('decision', 'incident', 'change') and f.path = 'promotion' and f.start >= length(c.title)
      and c.vouched is null and c.created_at <= :until and m.id not in (select id from ended) and instr(f.statement, substr(f.excerpt, 1, 12)) > 0
)
select
    a.id, s.name as source, a.ref, a.type, a.title, a.url, a.author, a.merged_by, a.state, a.authority, a.merged, a.closed,
    a.created_at as opened, iif(a.merged, a.merged_at, iif(a.closed, a.closed_at, null)) as ended,
    u.state as undone, u.by_ref as undone_by, u.by_title as undone_title, u.told as undone_told, w.handle as why_handle, (select kind from facts where id = abs(w.fact_id)) as why_kind,
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
            where w.id = a.id and l.to_ref not glob 'file:.cortex/*' group by path order by count(*) desc, path
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
            select 1 from records p cross join records t on t.source_id = p.source_id and t.ref = l.to_ref
            where p.id = a.id and p.type = 'pull' and p.vouched is not null and t.type = 'issue' and t.closed_at is null
          )
    ) as fixes
from asked a
cross join sources s on s.id = a.source_id
left join ended u on u.id = a.id and u.place = 1
left join said w on w.fact_id = (select x.fact_id from said x where x.id = a.id order by x.rank, x.fact_id limit 1) and w.id = a.id
order by a.place;

-- name: works_behind
-- The pieces of work that some records tell of, known at :until: of a comment its thread, of an issue
-- what fixed it or was meant to, of a commit the pull request that it was merged by; each beside the record it was found by.
with heads as materialized (
    select a.value as asked, coalesce(t.id, r.id) as id
    from json_each(:ids) a
    cross join records r on r.id = a.value
    left join records t on r.type = 'comment' and t.source_id = r.source_id and t.ref = r.thread and t.gone_at is null
), merges as materialized (
    select h.asked, h.id, r.source_id, l.to_ref as ref from heads h
    cross join records r on r.id = h.id and r.type = 'commit'
    cross join links l on l.source_id = r.source_id and l.from_ref = r.ref and l.relation = 'merges' and l.to_source = ''
    union
    select h.asked, h.id, r.source_id, l.from_ref from heads h
    cross join records r on r.id = h.id and r.type = 'commit'
    cross join links l on l.source_id = r.source_id and l.to_ref = r.ref and l.relation = 'merges' and l.to_source = ''
    union
    select h.asked, h.id, r.source_id, m.to_ref from heads h
    cross join records r on r.id = h.id and r.type = 'commit'
    cross join links l on l.source_id = r.source_id and l.from_ref = r.ref and l.relation = 'came_with' and l.to_source = ''
    cross join links m on m.source_id = l.source_id and m.from_ref = l.to_ref and m.relation = 'merges' and m.to_source = ''
), tries as materialized ( -- of an issue
    select h.asked, w.id, w.source_id, w.ref from heads h
    cross join records r on r.id = h.id
    cross join links l on l.source_id = r.source_id and l.to_ref = r.ref and l.relation = 'fixes' and l.to_source = ''
    cross join records w on w.source_id = l.source_id and w.ref = l.from_ref
    where r.type = 'issue' and w.gone_at is null
      and (w.merged_at <= :until or w.closed_at <= :until or w.type = 'commit' and w.created_at <= :until)
)
select asked, id from tries
union -- what the ledger says of it
select t.asked, w.id from (
    select asked, id, source_id, ref from tries
    union
    select h.asked, r.id, r.source_id, r.ref from heads h cross join records r on r.id = h.id where r.type = 'pull'
) t
cross join links l on l.source_id = t.source_id and l.to_ref = t.ref and l.relation = 'mentions' and l.to_source = ''
cross join records w on w.source_id = l.source_id and w.ref = l.from_ref
where w.type = 'outcome' and w.gone_at is null and coalesce(w.created_at <= :until, true)
union
select m.asked, w.id from merges m
cross join records w on w.source_id = m.source_id and w.ref = m.ref
where w.type = 'pull' and w.gone_at is null and coalesce(w.created_at, w.merged_at) <= :until
union
select h.asked, r.id from heads h
cross join records r on r.id = h.id
where r.type in ('issue', 'pull', 'outcome', 'commit') and coalesce(r.created_at <= :until, true)
    and (h.id not in (select id from merges) or exists ( -- of what was merged with more a part may have been taken back
        select 1 from lineage l
        where l.record_id = h.id and l.state = 'reverted' and substr(l.since, 1, length(:until)) <= :until
          and (l.until = '' or substr(l.until, 1, length(:until)) > :until)
    ) and not exists ( -- and where all of it was, the pull request tells that
        select 1 from merges m
        cross join records w on w.source_id = m.source_id and w.ref = m.ref
        cross join lineage l on l.record_id = w.id and l.state = 'reverted' and substr(l.since, 1, length(:until)) <= :until
        where m.id = h.id and (l.until = '' or substr(l.until, 1, length(:until)) > :until)
    ))
order by 1, 2;

-- name: works_beside
-- The issues and pull requests that some pieces of work, or the remarks under them, name or are named by;
-- what nobody of the project stands behind names nothing.
with heads as materialized (
    select r.id, r.source_id, r.ref from json_each(:ids) a cross join records r on r.id = a.value
), said as materialized (
    select id, source_id, ref from heads
    union all
    select h.id, h.source_id, c.ref from heads h
    cross join records c on c.source_id = h.source_id and c.thread = h.ref and c.thread <> '' and c.created_at <= :until
    where c.gone_at is null and c.vouched is null
), named as materialized (
    select s.id, s.source_id, l.to_ref as ref from said s
    cross join links l on l.source_id = s.source_id and l.from_ref = s.ref and l.to_source = ''
    union
    select h.id, h.source_id, l.from_ref from heads h
    cross join links l on l.source_id = h.source_id and l.to_ref = h.ref and l.to_source = ''
    cross join records n on n.source_id = l.source_id and n.ref = l.from_ref and n.vouched is null
)
select distinct n.id, w.id from named n
cross join records t on t.source_id = n.source_id and t.ref = n.ref and coalesce(t.created_at, t.merged_at) <= :until
cross join records w on w.source_id = t.source_id and w.ref = iif(t.type = 'comment', t.thread, t.ref)
where t.gone_at is null and w.type in ('issue', 'pull') and w.gone_at is null and w.id <> n.id;

-- name: works_naming
-- Issues and pull requests of these numbers, and the pull requests and commits that fix or name one.
with asked as materialized (
    select 'issue:' || value as issue, 'pull:' || value as pull from json_each(:numbers)
), named as materialized (
    select r.id, r.source_id, r.ref from json_each(:sources) s
    cross join asked
    cross join records r on r.source_id = s.value and r.ref in (asked.issue, asked.pull)
    where r.gone_at is null
)
select id, 1.0 from named
union
select w.id, iif(l.relation = 'fixes', 1.0, 0.4) from named
cross join links l on l.source_id = named.source_id and l.to_ref = named.ref and l.to_source = ''
cross join records w on w.source_id = l.source_id and w.ref = l.from_ref
where l.relation in ('fixes', 'mentions') and w.type in ('pull', 'commit') and w.gone_at is null and coalesce(w.created_at, w.merged_at) <= :until;

-- name: threads_opened
-- Those of some records that are issues and pull requests, and when each was opened.
select r.id, r.ref, r.title, coalesce(r.vouched < length(r.title), false) as unverified, julianday(:until) - julianday(r.created_at) as days
from json_each(:ids) a cross join records r on r.id = a.value
where r.type in ('issue', 'pull') and r.gone_at is null and r.created_at <= :until and r.source_id in (select value from json_each(:sources))

-- name: proposals
-- What became of pull requests, as records tell it and no outcome does yet, the surest telling of each first:
-- reverted; turned down with a reason; followed within :soon days by a fix that names it; its issue open again; merged over
-- an objection that says something; with :lasting, merged before :kept and none of these. Only what somebody of the project stands behind tells.
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
      and length(c.body) >= :least and not exists (select 1 from json_each(:light) w where instr(lower(c.body), w.value) > 0)
      and not exists (
        select 1 from records a
        where a.source_id = c.source_id and a.thread = c.thread and +a.type = 'comment'
          and a.state = 'approved' and a.created_at >= c.created_at
      )
    union all
    select p.id, 6, 'kept', '', p.merged_at from pulls p where :lasting and p.merged_at <= :kept
)
select id, how, by_ref, since
from (select *, row_number() over (partition by id order by rank, since, by_ref) as place from told)
where place = 1
order by rank = 6, since desc, id
limit :limit;
