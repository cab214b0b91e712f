-- resolve_reverts.sql: what reverts a revert brings back what that took back, and so on.
-- A revert may be named by its pull request or by the commit that merged it.
insert or ignore into links (source_id, from_ref, relation, to_source, to_ref)
with recursive told(by_, relation, of_) as (
    select from_ref, relation, to_ref from links
    where source_id = :source_id and to_source = '' and relation in ('reverts', 'reapplies')
    union
    select w.from_ref, iif(t.relation = 'reverts', 'reapplies', 'reverts'), t.of_
    from told t
    cross join links w on w.source_id = :source_id and w.to_source = '' and w.relation = 'reverts'
      and w.to_ref in (
        select t.by_
        union all
        select m.to_ref from links m
        where m.source_id = :source_id and m.from_ref = t.by_ and m.relation = 'merges' and m.to_source = ''
        union all
        select m.from_ref from links m
        where m.source_id = :source_id and m.to_ref = t.by_ and m.relation = 'merges' and m.to_source = ''
      )
    where w.from_ref <> t.of_
)
select :source_id, by_, relation, '', of_ from told
