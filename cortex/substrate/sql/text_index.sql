-- name: search_count_facts
-- The document frequencies of facts_fts; a term of one row is not worth a row here.
insert into term_frequencies (index_name, term, documents)
select 'facts_fts', term, doc from facts_terms where doc > 1
on conflict (index_name, term) do update set documents = excluded.documents
where documents <> excluded.documents;

-- name: search_count_passages
-- The document frequencies of records_fts; a term of one row is not worth a row here.
insert into term_frequencies (index_name, term, documents)
select 'records_fts', term, doc from records_terms where doc > 1
on conflict (index_name, term) do update set documents = excluded.documents
where documents <> excluded.documents;

-- name: search_facts
-- Facts that hold any of the terms, best first; all of them are scored.
select facts.id, -bm25(facts_fts, :w0, :w1) as score
from facts_fts
cross join facts on facts.id = facts_fts.rowid
cross join records on records.id = facts.record_id
where facts_fts match :match
    and records.gone_at is null
order by score desc, facts.id
limit :limit;

-- name: search_facts_best
-- The facts an expression matches best, whether they may be read or not.
select rowid, -bm25(facts_fts, :w0, :w1) as score
from facts_fts where facts_fts match :match order by score desc, rowid limit :limit;

-- name: search_facts_extent
-- How many rows the index holds.
select count(*) from facts_fts_docsize;

-- name: search_facts_flush
-- Reading a vocabulary makes FTS5 write out what it still holds in memory.
select 1 from facts_terms limit 1;

-- name: search_facts_merge
-- Make one b-tree of the index.
insert into facts_fts (facts_fts) values ('optimize');

-- name: search_facts_readable
-- Those of the rows whose record is not gone.
select facts.id
from json_each(:rows) as found
cross join facts on facts.id = found.value
cross join records on records.id = facts.record_id
where records.gone_at is null;

-- name: search_facts_segments
-- Of how many b-trees the index consists; a query looks each of its terms up in all of them.
select count(distinct segid) from facts_fts_idx;

-- name: search_facts_state
-- Two records that change whenever the index does.
select id, block from facts_fts_data where id in (1, 10) order by id;

-- name: search_frequencies
-- In how many rows of an index each of the terms stands; '' is whether it was ever counted.
select term, documents
from term_frequencies
where index_name = :index and term in (select value from json_each(:terms));

-- name: search_note_count
-- How many rows an index has ('') and what state of it was counted (' ', which no term can be).
insert into term_frequencies (index_name, term, documents) values (:index, '', :rows), (:index, ' ', :state)
on conflict (index_name, term) do update set documents = excluded.documents;

-- name: search_passages
-- Passages that hold any of the terms, best first; all of them are scored.
select passages.id, -bm25(records_fts, :w0, :w1, :w2) as score
from records_fts
cross join passages on passages.id = records_fts.rowid
cross join records on records.id = passages.record_id
where records_fts match :match
    and records.gone_at is null
order by score desc, passages.id
limit :limit;

-- name: search_passages_best
-- The passages an expression matches best, whether they may be read or not.
select rowid, -bm25(records_fts, :w0, :w1, :w2) as score
from records_fts where records_fts match :match order by score desc, rowid limit :limit;

-- name: search_passages_extent
-- How many rows the index holds.
select count(*) from records_fts_docsize;

-- name: search_passages_flush
-- Reading a vocabulary makes FTS5 write out what it still holds in memory.
select 1 from records_terms limit 1;

-- name: search_passages_merge
-- Make one b-tree of the index.
insert into records_fts (records_fts) values ('optimize');

-- name: search_passages_readable
-- Those of the rows whose record is not gone.
select passages.id
from json_each(:rows) as found
cross join passages on passages.id = found.value
cross join records on records.id = passages.record_id
where records.gone_at is null;

-- name: search_passages_segments
-- Of how many b-trees the index consists; a query looks each of its terms up in all of them.
select count(distinct segid) from records_fts_idx;

-- name: search_passages_state
-- Two records that change whenever the index does.
select id, block from records_fts_data where id in (1, 10) order by id;

-- name: search_uncount_facts
-- Forget terms that facts_fts no longer has in two rows.
delete from term_frequencies
where index_name = 'facts_fts' and term > ' '
    and term not in (select term from facts_terms where doc > 1);

-- name: search_uncount_passages
-- Forget terms that records_fts no longer has in two rows.
delete from term_frequencies
where index_name = 'records_fts' and term > ' '
    and term not in (select term from records_terms where doc > 1);

-- name: term_weights
-- How many rows of an index hold each of these stems; '' asks for the number of rows. A stem of one row
-- was not counted, and is looked up.
select term, documents from term_frequencies
where index_name = :index_name and term in (select value from json_each(:terms))
union all
select v.term, v.doc from json_each(:terms) t cross join records_terms v on v.term = t.value where v.doc = 1;

-- name: words_temp
-- Where each word stands in the passages.
create virtual table if not exists temp.passage_words using fts5vocab (main, records_fts, 'instance');

-- name: unverified_passages
-- In how many unverified passages a stem stands.
select count(*)
from (select distinct doc from passage_words where term = :stem) w
cross join passages p on p.id = w.doc
cross join records r on r.id = p.record_id
where r.vouched is not null and (r.vouched = 0 or p.end_ > r.vouched);

-- name: rows_of_facts
-- Facts with the record and the source they were taken from.
-- With :as_of, those that were known: a file without a date since the commit that brought it, or where its heading has one,
-- or its project nothing later; and none of which the text may be of a later commit.
select
    f.id, f.record_id, f.source_id, r.ref, r.type, r.title, f.authority, iif(r.type = 'commit', coalesce((
        select l.to_ref from links l
        where l.source_id = r.source_id and l.from_ref = r.ref and l.relation = 'merges' and l.to_ref glob 'pull:*' limit 1
    ), ''), r.thread) as thread, r.state, r.author, r.association, r.vouched is not null and (r.vouched = 0 or f.end_ > r.vouched),
    coalesce(r.merged_at, r.created_at, ''), f.start, f.end_, f.statement, f.handle, f.kind, f.confidence
from facts f
join records r on r.id = f.record_id
where f.id in (select value from json_each(:ids))
    and (:as_of = '' or coalesce(r.merged_at, r.closed_at, r.created_at, (
        select min(t.created_at) from links l
        cross join records t on t.source_id = l.source_id and t.ref = l.from_ref
        where l.source_id = r.source_id and l.to_source = '' and l.to_ref = 'file:' || r.path and l.relation = 'touches'
    ), iif(r.type in ('doc', 'directive', 'ownership', 'project', 'code') and (
        r.title glob '*[12][0-9][0-9][0-9]-[01][0-9]-[0-3][0-9]*' or r.source_id not in ( -- it is today's text
            select l.source_id from records l where :as_of <> '' and coalesce(l.merged_at, l.created_at) > :as_of
        )
    ), '', null)) <= :as_of)
    and (:as_of = '' or r.type not in ('doc', 'directive', 'ownership', 'project', 'code') or not exists ( -- what it says may be of that change
        select 1 from links l
        cross join records t on t.source_id = l.source_id and t.ref = l.from_ref
        where l.source_id = r.source_id and l.to_source = '' and l.to_ref = 'file:' || r.path and l.relation = 'touches'
            and t.created_at > :as_of
    ) or (r.created_at is not null and 1 >= iif(r.state in ('', 'active'), ( -- of a decision but the state changes later
        select count(*) from links l
        where l.source_id = r.source_id and l.to_source = '' and l.to_ref = 'file:' || r.path and l.relation = 'touches'
    ), 0)))
    and (:as_of = '' or f.valid_until is null or f.valid_until > :as_of or (r.type = 'pull' and exists ( -- it tells its end
        select 1 from links l
        join records by_ on by_.source_id = l.source_id and by_.ref = l.from_ref
        where l.source_id = r.source_id and l.to_source = '' and l.to_ref = r.ref and l.relation = 'reverts'
            and coalesce(by_.merged_at, by_.created_at) = f.valid_until
    )))
    and (r.type <> 'pull' or iif(:as_of = '', iif(f.valid_until is null, 1, not exists ( -- nor of an interval that another followed
        select 1 from facts n where n.record_id = f.record_id and n.valid_from >= f.valid_until
            and n.id <> f.id and (n.start, n.end_) = (f.start, f.end_)
    )), f.valid_from is null or f.valid_from <= :as_of))
    and (:as_of = '' or f.path <> 'promotion' or not exists (  -- whose statement tells what took it back later
        select 1 from links l
        join records by_ on by_.source_id = l.source_id and by_.ref = l.from_ref
        where l.source_id = r.source_id and l.to_source = '' and l.to_ref = r.ref
            and l.relation in ('reverts', 'supersedes') and coalesce(by_.merged_at, by_.created_at) > :as_of
    ));

-- name: rows_of_passages
-- Passages with the record and the source they stand in.
-- With :as_of, those that were known: a file without a date since the commit that brought it, or where its heading has one,
-- or its project nothing later; and none of which the text may be of a later commit.
select
    p.id, p.record_id, p.source_id, r.ref, r.type, r.title, r.authority, iif(r.type = 'commit', coalesce((
        select l.to_ref from links l
        where l.source_id = r.source_id and l.from_ref = r.ref and l.relation = 'merges' and l.to_ref glob 'pull:*' limit 1
    ), ''), r.thread) as thread,
    iif(:as_of <> '' and coalesce(r.merged_at, r.closed_at) > :as_of, 'open', r.state), r.author, r.association, r.vouched is not null and (r.vouched = 0 or p.end_ > r.vouched),
    coalesce(iif(:as_of <> '' and r.merged_at > :as_of, null, r.merged_at), r.created_at, ''), p.start, p.end_, p.body
from passages p
join records r on r.id = p.record_id
where p.id in (select value from json_each(:ids))
    and (:as_of = '' or coalesce(r.created_at, r.merged_at, r.closed_at, (
        select min(t.created_at) from links l
        cross join records t on t.source_id = l.source_id and t.ref = l.from_ref
        where l.source_id = r.source_id and l.to_source = '' and l.to_ref = 'file:' || r.path and l.relation = 'touches'
    ), iif(r.type in ('doc', 'directive', 'ownership', 'project', 'code') and (
        r.title glob '*[12][0-9][0-9][0-9]-[01][0-9]-[0-3][0-9]*' or r.source_id not in ( -- it is today's text
            select l.source_id from records l where :as_of <> '' and coalesce(l.merged_at, l.created_at) > :as_of
        )
    ), '', null)) <= :as_of)
    and (:as_of = '' or r.type not in ('doc', 'directive', 'ownership', 'project', 'code') or not exists ( -- what it says may be of that change
        select 1 from links l
        cross join records t on t.source_id = l.source_id and t.ref = l.from_ref
        where l.source_id = r.source_id and l.to_source = '' and l.to_ref = 'file:' || r.path and l.relation = 'touches'
            and t.created_at > :as_of
    ) or (r.created_at is not null and 1 >= iif(r.state in ('', 'active'), ( -- of a decision but the state changes later
        select count(*) from links l
        where l.source_id = r.source_id and l.to_source = '' and l.to_ref = 'file:' || r.path and l.relation = 'touches'
    ), 0)));

-- name: rows_of_records
-- The first passage of each record, for records that came by a link and not by their words.
-- With :as_of, those that were known: a file without a date since the commit that brought it, or where its heading has one,
-- or its project nothing later; and none of which the text may be of a later commit.
select
    p.id, p.record_id, p.source_id, r.ref, r.type, r.title, r.authority, r.thread,
    iif(:as_of <> '' and coalesce(r.merged_at, r.closed_at) > :as_of, 'open', r.state), r.author, r.association, r.vouched is not null and (r.vouched = 0 or p.end_ > r.vouched),
    coalesce(iif(:as_of <> '' and r.merged_at > :as_of, null, r.merged_at), r.created_at, ''), p.start, p.end_, p.body
from json_each(:ids) asked
cross join records r on r.id = asked.value
cross join passages p on p.id = (select min(first.id) from passages first where first.record_id = r.id)
where (:as_of = '' or coalesce(r.created_at, r.merged_at, r.closed_at, (
        select min(t.created_at) from links l
        cross join records t on t.source_id = l.source_id and t.ref = l.from_ref
        where l.source_id = r.source_id and l.to_source = '' and l.to_ref = 'file:' || r.path and l.relation = 'touches'
    ), iif(r.type in ('doc', 'directive', 'ownership', 'project', 'code') and (
        r.title glob '*[12][0-9][0-9][0-9]-[01][0-9]-[0-3][0-9]*' or r.source_id not in ( -- it is today's text
            select l.source_id from records l where :as_of <> '' and coalesce(l.merged_at, l.created_at) > :as_of
        )
    ), '', null)) <= :as_of)
    and (:as_of = '' or r.type not in ('doc', 'directive', 'ownership', 'project', 'code') or not exists ( -- what it says may be of that change
        select 1 from links l
        cross join records t on t.source_id = l.source_id and t.ref = l.from_ref
        where l.source_id = r.source_id and l.to_source = '' and l.to_ref = 'file:' || r.path and l.relation = 'touches'
            and t.created_at > :as_of
    ) or (r.created_at is not null and 1 >= iif(r.state in ('', 'active'), ( -- of a decision but the state changes later
        select count(*) from links l
        where l.source_id = r.source_id and l.to_source = '' and l.to_ref = 'file:' || r.path and l.relation = 'touches'
    ), 0)));
