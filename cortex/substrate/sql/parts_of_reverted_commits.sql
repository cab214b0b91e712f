-- parts_of_reverted_commits.sql: what takes back one of several commits that came with a pull request takes back a part of it.
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
)
