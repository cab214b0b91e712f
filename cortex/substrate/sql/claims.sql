-- claims.sql: facts of a source that say how things are; what a title says is what somebody did, and no claim.
select f.id, f.handle, f.statement, f.excerpt, f.authority, f.valid_from, r.type, r.author, r.thread, r.ref
from facts f
cross join records r on r.id = f.record_id
where f.source_id = :source_id and r.gone_at is null and f.valid_until is null
  and (f.path <> 'promotion' or r.type in ('directive', 'outcome') or f.statement like '%instead of%')
order by f.id
