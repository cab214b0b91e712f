-- passages_of_documents.sql: the passages of documents that an expression matches and that may hold code, of those that
-- may be read.
select p.id
from records_fts
cross join passages p on p.id = records_fts.rowid
cross join records r on r.id = p.record_id
where records_fts match :match and r.type = 'doc' and r.gone_at is null
    and p.source_id in (select value from json_each(:sources))
    and (instr(p.body, '```') or instr(p.body, '    ') or instr(p.body, '$ '))
order by records_fts.rowid
limit :limit
