-- share_facts_rows.sql: the facts of these sources that an expression matches, with their sizes; none whose record is gone.
select facts.id, size.sz
from facts_fts
join facts on facts.id = facts_fts.rowid
join records on records.id = facts.record_id
join facts_fts_docsize as size on size.id = facts.id
where facts_fts match :match
    and facts.source_id in (select value from json_each(:sources))
    and records.gone_at is null;
