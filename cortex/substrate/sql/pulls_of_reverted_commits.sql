-- pulls_of_reverted_commits.sql: what takes back the commit that a pull request was merged as, or the only one that came
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
)
