-- texts_telling_reverts.sql: the passages that have the words of a revert, of whoever is trusted.
select p.body
from records_fts
cross join passages p on p.id = records_fts.rowid
cross join records r on r.id = p.record_id
where records_fts match 'body : (reverted OR "backed out" OR "rolled back")' and p.source_id = :source_id
  and r.type in ('pull', 'issue', 'comment', 'commit') and r.gone_at is null and coalesce(p.end_ <= r.vouched, true)
