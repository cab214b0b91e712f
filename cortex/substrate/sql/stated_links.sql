-- stated_links.sql: what took back, brought back, amended or took the place of which record, and who says so. A commit is
-- told by the pull request that it merged, and a remark speaks for the thread it stands under.
with told as (
    select relation, from_ref as by_ref, to_ref as of_ref, from_ref as teller
    from links
    where source_id = :source_id and to_source = ''
        and relation in ('reverts', 'reapplies', 'supersedes', 'revalues', 'reverts_part', 'amends')
    union all
    select 'supersedes', l.to_ref, iif(t.type = 'comment', t.thread, t.ref), t.ref
    from links l
    cross join records t on t.source_id = l.source_id and t.ref = l.from_ref
    where l.source_id = :source_id and l.to_source = '' and l.relation = 'superseded_by'
    union all -- a file that says so of itself
    select 'supersedes', r.ref, r.ref, r.ref from records r
    where r.source_id = :source_id and r.type = 'doc' and r.ref = 'doc:' || r.path and r.gone_at is null
        and r.state in ('superseded', 'deprecated')
), merged as (
    select told.*, coalesce((
        select p.ref from links l
        cross join records p on p.source_id = l.source_id and p.ref = l.to_ref
        where told.by_ref glob 'commit:*' and l.source_id = :source_id and l.from_ref = told.by_ref
            and l.relation = 'merges' and p.type = 'pull' and p.merged_at is not null and p.gone_at is null
        limit 1
    ), told.by_ref) as doer
    from told
)
select distinct
    m.relation, b.ref, b.type, b.title, coalesce(b.created_at, ''), coalesce(b.merged_at, ''), b.state,
    m.of_ref, coalesce(o.type, ''), coalesce(o.title, ''), coalesce(o.created_at, ''), coalesce(o.merged_at, ''),
    coalesce(o.closed_at, ''), t.type, coalesce(t.created_at, ''), t.author <> '' and t.author = o.author,
    exists (select 1 from unverified u where u.id = t.id),
    (
        select count(*) from links n
        where n.source_id = :source_id and n.from_ref = b.ref and n.relation = 'follows' and n.to_source = ''
    )
from merged m
cross join records b on b.source_id = :source_id and b.ref = m.doer and b.gone_at is null and b.type <> 'comment'
cross join records t on t.source_id = :source_id and t.ref = m.teller and t.gone_at is null
left join records o on o.source_id = :source_id and o.ref = m.of_ref and o.gone_at is null
where m.doer <> m.of_ref or m.teller = m.of_ref
