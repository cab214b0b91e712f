-- resolve_reverts.sql: what reverts a revert brings back what that took back, and so on; and each follows those before it,
-- so that their order is known also where they were made in one second.
-- A revert may be named by its pull request, by the commit that merged it, or by a merge that it came with.
insert or ignore into links (source_id, from_ref, relation, to_source, to_ref, derived)
with recursive gone as materialized (
    select ref from records where source_id = :source_id and gone_at is not null
), told(by_, relation, of_) as (
    select from_ref, relation, to_ref from links
    where source_id = :source_id and to_source = '' and relation in ('reverts', 'reapplies') and from_ref not in gone
    union
    select from_ref, 'follows', from_ref from links
    where source_id = :source_id and to_source = '' and relation in ('reverts', 'reapplies') and from_ref not in gone
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
    where w.from_ref <> t.of_ and w.from_ref not in gone
)
select :source_id, by_, relation, '', of_, 1 from told where by_ <> of_
