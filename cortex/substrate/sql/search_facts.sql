-- search_facts.sql: facts that hold any of the terms, best first; all of them are scored.
select facts.id, -bm25(facts_fts, :w0, :w1) as score
from facts_fts
cross join facts on facts.id = facts_fts.rowid
cross join records on records.id = facts.record_id
where facts_fts match :match
    and records.gone_at is null
order by score desc, facts.id
limit :limit;
