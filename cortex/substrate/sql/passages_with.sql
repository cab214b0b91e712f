-- passages_with.sql: the text of some passages that an expression matches, and that may be read.
select p.context || char(10) || p.body
from records_fts
cross join passages p on p.id = records_fts.rowid
cross join records r on r.id = p.record_id
where records_fts match :match and r.gone_at is null and p.source_id in (select value from json_each(:sources))
limit :limit
