-- name: places_temp
-- Where each term stands in each row of the two full-text indexes.
create virtual table if not exists temp.facts_places using fts5vocab (main, facts_fts, instance);
create virtual table if not exists temp.passages_places using fts5vocab (main, records_fts, instance);

-- name: share_facts_documents
-- In how many facts of these sources each of the terms stands.
select asked.value, count(distinct place.doc)
from json_each(:terms) as asked
cross join temp.facts_places as place on place.term = asked.value
where place.doc in (select id from facts where source_id in (select value from json_each(:sources)))
group by asked.value;

-- name: share_facts_places
-- How often a term stands in each of these facts, by the weights of the columns.
select doc, sum(case col when 'statement' then :w0 else :w1 end)
from temp.facts_places
where term = :term and doc in (select value from json_each(:rows))
group by doc;

-- name: share_facts_rows
-- The facts of these sources that an expression matches; none whose record is gone.
select facts.id
from facts_fts
join facts on facts.id = facts_fts.rowid
join records on records.id = facts.record_id
where facts_fts match :match
    and facts.source_id in (select value from json_each(:sources))
    and records.gone_at is null;

-- name: share_facts_sizes
-- How many tokens each of the facts of these sources has, as facts_fts keeps it.
select facts.id, size.sz
from facts
join facts_fts_docsize as size on size.id = facts.id
where facts.source_id in (select value from json_each(:sources));

-- name: share_passages_documents
-- In how many passages of these sources each of the terms stands.
select asked.value, count(distinct place.doc)
from json_each(:terms) as asked
cross join temp.passages_places as place on place.term = asked.value
where place.doc in (select id from passages where source_id in (select value from json_each(:sources)))
group by asked.value;

-- name: share_passages_places
-- How often a term stands in each of these passages, by the weights of the columns.
select doc, sum(case col when 'context' then :w0 when 'body' then :w1 else :w2 end)
from temp.passages_places
where term = :term and doc in (select value from json_each(:rows))
group by doc;

-- name: share_passages_rows
-- The passages of these sources that an expression matches; none whose record is gone.
select passages.id
from records_fts
join passages on passages.id = records_fts.rowid
join records on records.id = passages.record_id
where records_fts match :match
    and passages.source_id in (select value from json_each(:sources))
    and records.gone_at is null;

-- name: share_passages_sizes
-- How many tokens each of the passages of these sources has, as records_fts keeps it.
select passages.id, size.sz
from passages
join records_fts_docsize as size on size.id = passages.id
where passages.source_id in (select value from json_each(:sources));
