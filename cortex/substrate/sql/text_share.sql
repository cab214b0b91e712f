-- name: places_temp
-- Where each term stands in each row of the two full-text indexes.
create virtual table if not exists temp.facts_places using fts5vocab (main, facts_fts, instance);
create virtual table if not exists temp.passages_places using fts5vocab (main, records_fts, instance);

-- name: share_documents
-- In how many rows of these sources each of the terms stands.
select value, iif(:index = 'facts_fts', (
    select count(distinct doc) from temp.facts_places
    where term = value and doc in (select id from facts where source_id in (select value from json_each(:sources)))
), (
    select count(distinct doc) from temp.passages_places
    where term = value and doc in (select id from passages where source_id in (select value from json_each(:sources)))
)) from json_each(:terms);

-- name: share_places
-- How often a term stands in each of these rows, by the weights of the columns.
select doc, sum(case col when 'statement' then :w0 else :w1 end)
from temp.facts_places
where :index = 'facts_fts' and term = :term and doc in (select value from json_each(:rows))
group by doc
union all
select doc, sum(case col when 'context' then :w0 when 'body' then :w1 else :w2 end)
from temp.passages_places
where :index = 'records_fts' and term = :term and doc in (select value from json_each(:rows))
group by doc;

-- name: share_rows
-- The rows of these sources that an expression matches; none whose record is gone.
select f.id from facts_fts join facts f on f.id = facts_fts.rowid join records r on r.id = f.record_id
where :index = 'facts_fts' and facts_fts match :match and r.gone_at is null
  and f.source_id in (select value from json_each(:sources))
union all
select p.id from records_fts join passages p on p.id = records_fts.rowid join records r on r.id = p.record_id
where :index = 'records_fts' and records_fts match :match and r.gone_at is null
  and p.source_id in (select value from json_each(:sources));

-- name: share_sizes
-- How many tokens each of the rows of these sources has, as the index keeps it.
select f.id, size.sz from facts f join facts_fts_docsize size on size.id = f.id
where :index = 'facts_fts' and f.source_id in (select value from json_each(:sources))
union all
select p.id, size.sz from passages p join records_fts_docsize size on size.id = p.id
where :index = 'records_fts' and p.source_id in (select value from json_each(:sources));
