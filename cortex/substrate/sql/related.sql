-- related.sql: what fixed, decided, replaced or doubled the thread :id: (related record's id, how, how sure).
-- One thread at a time: for several SQLite makes Bloom filters of whole tables, which takes longer than all the rest.
select r.id, iif(r.type = 'commit' or (r.merged_at is not null and (r.vouched is null or h.closed_at is not null)), 'fixed by', 'addressed by'), 1.0
from records h -- that an issue which is open was fixed, an outsider's text alone does not say
cross join links l on l.source_id = h.source_id and l.to_ref = h.ref and l.relation = 'fixes' and l.to_source = ''
cross join records r on r.source_id = l.source_id and r.ref = l.from_ref
where h.id = :id and h.type = 'issue' and r.type in ('pull', 'commit') and r.gone_at is null
union all
select r.id, 'fixed by', 1.0
from records h
cross join records c on c.source_id = h.source_id and c.thread = h.ref
cross join links l on l.source_id = c.source_id and l.from_ref = c.ref and l.relation = 'fixed_by' and l.to_source = ''
cross join records r on r.source_id = l.source_id and r.ref = l.to_ref
where h.id = :id and (h.type = 'issue' or (h.type = 'pull' and h.merged_at is null and r.id <> h.id)) and c.thread <> '' and r.type in ('pull', 'commit') and r.gone_at is null
union all
select r.id, 'fixes', 1.0
from records h
cross join links l on l.source_id = h.source_id and l.from_ref = h.ref and l.relation = 'fixes' and l.to_source = ''
cross join records r on r.source_id = l.source_id and r.ref = l.to_ref
where h.id = :id and h.type = 'pull' and r.type in ('issue', 'pull') and r.gone_at is null
union all
select r.id, iif(l.relation = 'reverts', 'reverted by', 'brought back by'), 1.0
from records h
cross join links l on l.source_id = h.source_id and l.to_ref = h.ref and l.relation in ('reverts', 'reapplies')
  and l.to_source = ''
cross join records r on r.source_id = l.source_id and r.ref = l.from_ref
where h.id = :id and r.gone_at is null
union all
select r.id, 'reverted in part by', 1.0
from records h
cross join links l on l.source_id = h.source_id and l.to_ref = h.ref and l.relation = 'reverts_part' and l.to_source = ''
cross join records r on r.source_id = l.source_id and r.ref = l.from_ref
where h.id = :id and r.gone_at is null and (r.type = 'commit' or r.merged_at is not null)
union all
select r.id, 'superseded by', 1.0
from records h
cross join links l on l.source_id = h.source_id and l.to_ref = h.ref and l.relation = 'supersedes' and l.to_source = ''
cross join records r on r.source_id = l.source_id and r.ref = l.from_ref
where h.id = :id and r.gone_at is null
union all
select r.id, iif(c.vouched is null, 'duplicate of', 'called duplicate of'), 1.0
from records h
cross join records c on c.source_id = h.source_id and c.thread = h.ref
cross join links l on l.source_id = c.source_id and l.from_ref = c.ref and l.to_source = '' and l.relation in ('duplicates', 'superseded_by')
cross join records r on r.source_id = l.source_id and r.ref = l.to_ref
where h.id = :id and c.thread <> '' and r.gone_at is null and r.id <> h.id
union all
select r.id, iif(h.vouched is null, 'duplicate of', 'called duplicate of'), 1.0
from records h
cross join links l on l.source_id = h.source_id and l.from_ref = h.ref and l.to_source = '' and l.relation in ('duplicates', 'superseded_by')
cross join records r on r.source_id = l.source_id and r.ref = l.to_ref
where h.id = :id and r.gone_at is null and r.id <> h.id
union all
select c.id, 'closed with', 1.0
from records h
cross join records c on c.source_id = h.source_id and c.thread = h.ref
where h.id = :id and c.thread <> '' and h.closed_at is not null and c.gone_at is null
  and abs(unixepoch(c.created_at) - unixepoch(h.closed_at)) <= 60
union all
select c.id, 'decided in', (1 + max(f.confidence)) / 2
from records h
cross join records c on c.source_id = h.source_id and c.thread = h.ref
cross join facts f on f.record_id = c.id
where h.id = :id and c.thread <> '' and c.gone_at is null
group by c.id
