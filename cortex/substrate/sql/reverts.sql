-- name: titled_reverts
-- What its title says takes or brings something back, the earliest first, with the number of the pull
-- request that it merged; and what it is already known to take or bring back.
select
    r.ref, r.title, coalesce(r.created_at, r.merged_at, ''),
    coalesce((
        select substr(m.to_ref, 6) from links m
        where m.source_id = r.source_id and m.from_ref = r.ref and m.relation = 'merges' and m.to_ref glob 'pull:*' limit 1
    ), substr(r.ref, instr(r.ref, ':') + 1)),
    exists (
        select 1 from links l
        where l.source_id = r.source_id and l.from_ref = r.ref and l.relation in ('reverts', 'reverts_part', 'reapplies')
          and l.to_source = '' and l.to_ref glob iif(r.type = 'pull', 'pull:*', '[pc]*')
          and (l.to_ref glob 'pull:*' or exists (select 1 from records c where c.source_id = l.source_id and c.ref = l.to_ref))
    ) or exists ( -- its pull request says that it is but a part
        select 1 from links m
        cross join links l on l.source_id = m.source_id and l.from_ref = m.to_ref and l.relation = 'reverts_part' and l.to_source = ''
        where m.source_id = r.source_id and m.from_ref = r.ref and m.relation = 'merges' and m.to_ref glob 'pull:*'
    )
from records r
where r.source_id = :source_id and r.type = :type and r.gone_at is null and not coalesce(r.vouched < length(r.title), false)
  and (r.title like '%rever%' or r.title like '%apply%' or r.title like '%land%' or r.title like '%back%' or r.title like '%roll%'
    or r.title like '%undo%' or r.title like '%bring%' or r.title like '%restor%' or r.title like '%reinstat%' or r.title like '%again%'
    or r.title like '%once more%' or r.title like '%take%' or r.title like '%attempt%' or r.title like '%try%' or r.title like '%redux%')
order by coalesce(r.created_at, r.merged_at, ''), r.id;

-- name: merged_pulls
-- The pull requests that were merged, the earliest first, each with its title and when; with :commits those too
-- that merged none.
select ref, title, coalesce(merged_at, created_at, '') as at from records
where source_id = :source_id and gone_at is null and (
    type = 'pull' and (merged_at is not null or state = 'merged')
    or :commits and type = 'commit' and origin <> 'agents' and not exists (
        select 1 from links m where m.source_id = records.source_id and m.from_ref = records.ref and m.relation = 'merges'
    )
)
order by at, id;

-- name: pulls_of_reverted_commits
-- What takes back the commit that a pull request was merged as, or the only one that came
-- with it, takes back the pull request.
insert or ignore into links (source_id, from_ref, relation, to_source, to_ref, derived)
with told as materialized (
    select from_ref, to_ref as first, to_ref || 'g' as past from links -- a commit may be named by a few of its digits
    where source_id = :source_id and to_source = '' and relation = 'reverts' and to_ref glob 'commit:*'
      and from_ref not in (select ref from records where source_id = :source_id and gone_at is not null)
), alone as (
    select t.from_ref, c.to_ref as merge
    from told t
    cross join links c on c.source_id = :source_id and c.from_ref >= t.first and c.from_ref < t.past
      and c.relation = 'came_with' and c.to_source = ''
    where (
        select count(*) from links o
        where o.source_id = :source_id and o.to_source = '' and o.to_ref = c.to_ref and o.relation = 'came_with'
    ) = 1
), taken as (
    -- the last commit of several that were put on the trunk one by one is named by its pull request, and is not all of it
    select t.from_ref, m.from_ref as pull
    from told t
    cross join links m on m.source_id = :source_id and m.to_source = '' and m.to_ref >= t.first and m.to_ref < t.past
      and m.relation = 'merges'
    left join records c on c.source_id = :source_id and c.ref = m.to_ref
    left join records p on p.source_id = :source_id and p.ref = m.from_ref
    where c.id is null or c.title = p.title or c.title like 'Merge %' or exists (
        select 1 from links b where b.source_id = :source_id and b.from_ref = m.to_ref and b.relation = 'merges'
          and b.to_source = '' and b.to_ref = m.from_ref
    )
    union
    select t.from_ref, m.to_ref
    from told t
    cross join links m on m.source_id = :source_id and m.from_ref >= t.first and m.from_ref < t.past
      and m.relation = 'merges' and m.to_source = ''
    union
    select a.from_ref, m.to_ref
    from alone a
    cross join links m on m.source_id = :source_id and m.from_ref = a.merge and m.relation = 'merges' and m.to_source = ''
    union
    select a.from_ref, m.from_ref
    from alone a
    cross join links m on m.source_id = :source_id and m.to_source = '' and m.to_ref = a.merge and m.relation = 'merges'
)
select :source_id, t.from_ref, 'reverts', '', t.pull, 1
from taken t
cross join records p on p.source_id = :source_id and p.ref = t.pull
where p.type = 'pull' and p.ref <> t.from_ref and p.gone_at is null
  and not exists (
    select 1 from links own where own.source_id = :source_id and own.from_ref = t.from_ref and own.relation = 'merges'
      and own.to_source = '' and own.to_ref = p.ref
);

-- name: parts_of_reverted_commits
-- What takes back one of several commits that came with a pull request takes back a part of it.
insert or ignore into links (source_id, from_ref, relation, to_source, to_ref, derived)
with came as materialized (
    select t.from_ref, c.to_ref as merge
    from links t
    cross join links c on c.source_id = :source_id and c.from_ref >= t.to_ref and c.from_ref < t.to_ref || 'g'
      and c.relation = 'came_with' and c.to_source = ''
    where t.source_id = :source_id and t.to_source = '' and t.relation = 'reverts' and t.to_ref glob 'commit:*'
      and t.from_ref not in (select ref from records where source_id = :source_id and gone_at is not null)
), taken as (
    select a.from_ref, m.to_ref as pull
    from came a
    cross join links m on m.source_id = :source_id and m.from_ref = a.merge and m.relation = 'merges' and m.to_source = ''
    union
    select a.from_ref, m.from_ref
    from came a
    cross join links m on m.source_id = :source_id and m.to_source = '' and m.to_ref = a.merge and m.relation = 'merges'
)
select :source_id, t.from_ref, 'reverts_part', '', t.pull, 1
from taken t
cross join records p on p.source_id = :source_id and p.ref = t.pull
where p.type = 'pull' and p.ref <> t.from_ref and p.gone_at is null
  and not exists (
    select 1 from links own where own.source_id = :source_id and own.from_ref = t.from_ref and own.to_source = ''
      and own.relation in ('merges', 'reverts', 'reapplies') and own.to_ref = p.ref
);

-- name: resolve_reverts
-- What reverts a revert brings back what that took back, and so on; and each follows those before it,
-- so that their order is known also where they were made in one second.
-- A revert may be named by its pull request, by the commit that merged it, or by a merge that it came with.
insert or ignore into links (source_id, from_ref, relation, to_source, to_ref, derived)
with recursive gone as materialized (
    select ref from records where source_id = :source_id and gone_at is not null
), told(by_, relation, of_) as (
    select from_ref, relation, to_ref from links
    where source_id = :source_id and to_source = '' and relation in ('reverts', 'reapplies') and from_ref not in (select ref from gone)
    union
    select from_ref, 'follows', from_ref from links
    where source_id = :source_id and to_source = '' and relation in ('reverts', 'reapplies') and from_ref not in (select ref from gone)
    union
    select
        w.from_ref, case t.relation when 'reverts' then 'reapplies' when 'reapplies' then 'reverts' else 'follows' end, t.of_
    from told t
    cross join links w on w.source_id = :source_id and w.to_source = '' and w.relation = 'reverts'
      and w.to_ref in (
        with recursive came(ref) as (
            select t.by_
            union
            select m.to_ref from came cross join links m on m.source_id = :source_id and m.from_ref = came.ref
              and m.relation in ('merges', 'came_with') and m.to_source = ''
            union
            select m.from_ref from came cross join links m on m.source_id = :source_id and m.to_ref = came.ref
              and m.relation = 'merges' and m.to_source = ''
        )
        select ref from came
      )
    where w.from_ref <> t.of_ and w.from_ref not in (select ref from gone)
)
select :source_id, by_, relation, '', of_, 1 from told where by_ <> of_;

-- name: standing_pulls
-- The pull requests as they were merged, but for those that were taken back: ref, title,
-- and the body where the title holds a number.
select r.ref, r.title, iif(r.title glob '*[0-9]*', r.body, '') from records r
where r.source_id = :source_id and r.type = 'pull' and r.merged_at is not null and r.gone_at is null
    and not exists (
        select 1 from links l
        cross join records v on v.source_id = l.source_id and v.ref = l.from_ref
        where l.source_id = r.source_id and l.to_ref = r.ref and l.to_source = '' and l.relation = 'reverts'
            and v.gone_at is null and (v.type = 'commit' or v.merged_at is not null)
    )
order by r.merged_at, r.ref;

-- name: reverts_by
-- What records of a type take back, and who does.
select l.to_ref, l.from_ref
from links l cross join records r on r.source_id = l.source_id and r.ref = l.from_ref
where l.source_id = :source_id and l.relation = 'reverts' and l.from_ref glob (:type || ':*') and r.gone_at is null;
