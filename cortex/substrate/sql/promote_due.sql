-- promote_due.sql: records whose facts are to be made again: changed, or naming one that changed, or stripped of their facts.
insert or ignore into temp.due
with changed as materialized (
    select id, ref from records
    where source_id = :source_id and gone_at is null and promoted_hash is not content_hash
)
select r.id from changed c cross join records r on r.id = c.id
where r.type in ('directive', 'pull', 'issue', 'outcome', 'commit', 'ownership')
union
select r.id from changed c
cross join links l on l.source_id = :source_id and l.to_source = '' and l.to_ref = c.ref
cross join records r on r.source_id = :source_id and r.ref = l.from_ref
where l.relation in ('fixes', 'duplicates', 'reverts', 'supersedes', 'merges') and r.gone_at is null
  and r.type in ('pull', 'issue', 'outcome', 'commit')
union
select r.id from changed c
cross join links l on l.source_id = :source_id and l.from_ref = c.ref
cross join records r on r.source_id = :source_id and r.ref = l.to_ref
where l.relation in ('reverts', 'supersedes', 'merges') and r.gone_at is null
  and r.type in ('pull', 'issue', 'outcome', 'commit')
union
select r.id from records r
where r.source_id = :source_id and r.gone_at is null and r.promoted_hash = r.content_hash
  and r.type in ('directive', 'pull', 'issue', 'outcome', 'commit', 'ownership') and trim(r.title) <> ''
  and not exists (select 1 from facts f where f.record_id = r.id)
  and not exists (select 1 from facts_archive a where a.source_id = r.source_id and a.record_ref = r.ref)
  and (r.type <> 'commit' or not exists (
    select 1 from links l cross join records p on p.source_id = l.source_id and p.ref = l.to_ref
    where l.source_id = r.source_id and l.from_ref = r.ref and l.relation = 'merges' and p.type = 'pull'
))
