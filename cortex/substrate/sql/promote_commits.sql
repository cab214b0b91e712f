-- promote_commits.sql: commits that came without a pull request; the others are told by theirs, also those that only
-- repeat its title.
insert into temp.candidates (record_id, kind, statement, start, end_, confidence, valid_from, valid_until)
with told as materialized (
    select d.id
    from temp.due d
    cross join records r on r.id = d.id
    cross join links l on l.source_id = r.source_id and l.from_ref = r.ref and l.relation = 'merges' and l.to_source = ''
    cross join records p on p.source_id = l.source_id and p.ref = l.to_ref
    where d.type = 'commit' and p.type = 'pull' and p.gone_at is null and p.vouched is not 0
    union
    select d.id
    from temp.due d
    cross join records r on r.id = d.id
    cross join links l on l.source_id = r.source_id and l.to_ref = r.ref and l.relation = 'merges' and l.to_source = ''
    cross join records p on p.source_id = l.source_id and p.ref = l.from_ref
    where d.type = 'commit' and p.type = 'pull' and p.gone_at is null and p.vouched is not 0
), titles as materialized (
    select spoken(title) as title from records
    where source_id = :source_id and type = 'pull' and (merged_at is not null or state = 'merged') and gone_at is null
        and vouched is not 0
), reverts as materialized (
    select d.id, min(l.since) as at
    from temp.due d
    cross join lineage l on l.record_id = d.id and l.state = 'reverted'
    where d.type = 'commit' and exists (select 1 from lineage n where n.record_id = d.id and n.state = 'reverted' and n.until = '')
        and not exists (select 1 from lineage n where n.record_id = d.id and n.state = 'reinstated' and n.since > l.since)
    group by d.id
)
select
    r.id,
    kind_of(r.type, r.title, r.labels, r.state, r.body),
    'Commit ' || substr(r.ref, 8)
    || ' (' || coalesce(substr(r.created_at, 1, 10), 'undated') || iif(r.author <> '', ' by ' || r.author, '')
    || iif(v.id is not null, ', reverted' || coalesce(' on ' || substr(v.at, 1, 10), ''), '')
    || '): ' || trim(r.title),
    0, title_end(r.title, r.body), 0.85, r.created_at, v.at
from temp.due cross join records r on r.id = due.id
left join reverts v on v.id = due.id
where due.type = 'commit' and not is_trivial(r.title, r.author) and not is_vague(r.title)
  and due.id not in (select id from told) and spoken(r.title) not in (select title from titles)
