-- promote_due.sql: records whose facts are to be made again: changed, telling of one that changed or went, called as a
-- pull request that did, stripped of their facts, or now read otherwise.
insert or ignore into temp.due (id, type)
with structured as materialized (
    select id, type from records
    where source_id = :source_id and type in ('directive', 'pull', 'issue', 'outcome', 'commit', 'ownership', 'project')
    union all
    select id, type from records
    where source_id = :source_id and type = 'event' and origin in ('remembered', 'agents')
), promoted as materialized (
    select p.record_id as id, p.facts, structured.type from structured cross join promotions p on p.record_id = structured.id
), changed as materialized (
    select r.id, r.ref from (
        select id from structured where not exists (select 1 from promotions p where p.record_id = structured.id)
    ) cross join records r using (id)
    where r.gone_at is null
    union all
    select r.id, r.ref from records r
    where r.source_id = :source_id and r.gone_at is not null and r.id in (select id from promoted)
)
select r.id, r.type from changed c
cross join records r on r.id = c.id
where r.gone_at is null
union
select r.id, r.type from changed c
cross join links l on l.source_id = :source_id and l.to_source = '' and l.to_ref = c.ref
cross join records r on r.source_id = :source_id and r.ref = l.from_ref
where exists (select 1 from promoted)
  and (l.relation not in ('mentions', 'co_author', 'replies', 'reviews', 'touches') or r.type = 'outcome')
  and r.gone_at is null and r.type in ('pull', 'issue', 'outcome', 'commit')
union
select r.id, r.type from changed c
cross join links l on l.source_id = :source_id and l.from_ref = c.ref and l.to_source = ''
cross join records r on r.source_id = :source_id and r.ref = l.to_ref
where exists (select 1 from promoted)
  and l.relation in ('reverts', 'reapplies', 'supersedes', 'merges', 'fixes') and r.gone_at is null and r.type in ('pull', 'commit')
union
select r.id, r.type from records r
where r.source_id = :source_id and r.type = 'commit' and r.gone_at is null and exists (select 1 from promoted)
  and spoken(r.title) in (
    select spoken(p.title) from changed c cross join records p on p.id = c.id where p.type = 'pull'
)
union -- one that says nothing of its own may have repeated what a pull request was called before
select p.id, p.type from promoted p
where p.type = 'commit' and p.facts = 0
  and exists (select 1 from changed c cross join records r on r.id = c.id where r.type = 'pull')
union
select p.id, p.type from promoted p
where p.facts > 0
  and not exists (select 1 from facts f where f.record_id = p.id and f.path = 'promotion')
  and not exists (
    select 1 from records r cross join facts_archive a on a.source_id = r.source_id and a.record_ref = r.ref
    where r.id = p.id and a.job <> 'replaced'
)
union -- approvals were facts once
select r.id, r.type from records r cross join promotions p on p.record_id = r.id
where r.source_id = :source_id and r.type = 'comment' and p.facts > 0
union -- what marks a text has was read otherwise
select p.id, p.type from promoted p cross join records r on r.id = p.id
where p.type in ('directive', 'event') and plain(r.body) <> ''
  and exists (select 1 from facts f where f.record_id = p.id and f.path = 'promotion')
  and not exists (
    select 1 from facts f where f.record_id = p.id and f.path = 'promotion' and instr(f.statement, plain(r.body)) > 0
  )
