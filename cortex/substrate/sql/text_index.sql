-- name: search_count
-- The document frequencies of an index; a term of one row is not worth a row here.
insert into term_frequencies (index_name, term, documents)
select :index, term, doc from facts_terms where :index = 'facts_fts' and doc > 1
union all
select :index, term, doc from records_terms where :index = 'records_fts' and doc > 1
on conflict (index_name, term) do update set documents = excluded.documents
where documents <> excluded.documents;

-- name: search_uncount
-- Forget terms that an index no longer has in two rows.
delete from term_frequencies
where index_name = :index and term > ' ' and term not in (
    select term from facts_terms where :index = 'facts_fts' and doc > 1
    union all
    select term from records_terms where :index = 'records_fts' and doc > 1
);

-- name: search_best
-- The rows an expression matches best, whether they may be read or not.
select rowid, -bm25(facts_fts, :w0, :w1) as score from facts_fts where :index = 'facts_fts' and facts_fts match :match
union all
select rowid, -bm25(records_fts, :w0, :w1, :w2) from records_fts where :index = 'records_fts' and records_fts match :match
order by score desc, rowid
limit :limit;

-- name: search_extent
-- How many rows the index holds.
select iif(
    :index = 'facts_fts', (select count(*) from facts_fts_docsize), (select count(*) from records_fts_docsize)
);

-- name: search_segments
-- Of how many b-trees the index consists; a query looks each of its terms up in all of them.
select iif(
    :index = 'facts_fts',
    (select count(distinct segid) from facts_fts_idx), (select count(distinct segid) from records_fts_idx)
);

-- name: search_readable
-- Those of the rows whose record is not gone.
select value from json_each(:rows) where exists (
    select 1 from facts f cross join records r on r.id = f.record_id
    where :index = 'facts_fts' and f.id = value and r.gone_at is null
) or exists (
    select 1 from passages p cross join records r on r.id = p.record_id
    where :index = 'records_fts' and p.id = value and r.gone_at is null
);

-- name: search_state
-- Two records that change whenever the index does.
select id, block from facts_fts_data where :index = 'facts_fts' and id in (1, 10)
union all
select id, block from records_fts_data where :index = 'records_fts' and id in (1, 10)
order by id;

-- name: search_note_count
-- How many rows an index has ('') and what state of it was counted (' ', which no term can be).
insert into term_frequencies (index_name, term, documents) values (:index, '', :rows), (:index, ' ', :state)
on conflict (index_name, term) do update set documents = excluded.documents;

-- name: search_frequencies
-- In how many rows of an index each of these stems stands when last counted; '' asks for the number of rows.
select term, documents from term_frequencies
where index_name = :index and term in (select value from json_each(:terms));

-- name: passages_of_one
-- Which of these stems stand in one passage, which is not counted.
select v.term, v.doc from json_each(:terms) t cross join records_terms v on v.term = t.value where v.doc = 1;

-- name: records_holding
-- The records with a passage that an expression matches.
select distinct p.record_id from records_fts f cross join passages p on p.id = f.rowid where records_fts match :match;

-- name: unverified_passages
-- In how many unverified passages of these sources a stem stands; null is all.
select count(*)
from (select distinct doc from temp.passages_places where term = :stem) w
cross join passages p on p.id = w.doc
cross join records r on r.id = p.record_id
where r.vouched is not null and (r.vouched = 0 or p.end_ > r.vouched)
    and (:sources is null or p.source_id in (select value from json_each(:sources)));

-- name: rows_of_facts
-- Facts with the record and the source they were taken from.
select
    f.id, f.record_id, f.source_id, r.ref, r.type, r.title, f.authority, iif(r.type = 'commit', coalesce((
        select l.to_ref from links l
        where l.source_id = r.source_id and l.from_ref = r.ref and l.relation = 'merges' and l.to_ref glob 'pull:*' limit 1
    ), ''), r.thread) as thread, r.state, r.author, r.association, r.vouched is not null and (r.vouched = 0 or f.end_ > r.vouched),
    coalesce(r.merged_at, r.created_at, ''), f.start, f.end_, f.statement, f.handle, f.kind, f.confidence
from facts f
join records r on r.id = f.record_id
where f.id in (select value from json_each(:ids))
    and (:as_of = '' or f.valid_until is null or f.valid_until > :as_of or (r.type = 'pull' and exists ( -- it tells its end
        select 1 from links l
        join records by_ on by_.source_id = l.source_id and by_.ref = l.from_ref
        where l.source_id = r.source_id and l.to_source = '' and l.to_ref = r.ref and l.relation = 'reverts'
            and coalesce(by_.merged_at, by_.created_at) = f.valid_until
    )))
    and (r.type <> 'pull' or iif(:as_of = '', iif(f.valid_until is null, true, not exists ( -- nor of an interval that another followed
        select 1 from facts n where n.record_id = f.record_id and n.valid_from >= f.valid_until
            and n.id <> f.id and (n.start, n.end_) = (f.start, f.end_)
    )), f.valid_from is null or f.valid_from <= :as_of))
    and (:as_of = '' or f.path <> 'promotion' or not exists (  -- whose statement tells what took it back later
        select 1 from links l
        join records by_ on by_.source_id = l.source_id and by_.ref = l.from_ref
        where l.source_id = r.source_id and l.to_source = '' and l.to_ref = r.ref
            and l.relation in ('reverts', 'supersedes') and coalesce(by_.merged_at, by_.created_at) > :as_of
    ))
order by f.id;

-- name: rows_of_passages
-- Passages with the record and the source they stand in; with :first that with which each of these records begins, for
-- records that came by a link and not by their words.
select
    p.id, p.record_id, p.source_id, r.ref, r.type, r.title, r.authority, iif(r.type = 'commit' and not :first, coalesce((
        select l.to_ref from links l
        where l.source_id = r.source_id and l.from_ref = r.ref and l.relation = 'merges' and l.to_ref glob 'pull:*' limit 1
    ), ''), r.thread) as thread,
    iif(:as_of <> '' and coalesce(r.merged_at, r.closed_at) > :as_of, 'open', r.state), r.author, r.association, r.vouched is not null and (r.vouched = 0 or p.end_ > r.vouched),
    coalesce(iif(:as_of <> '' and r.merged_at > :as_of, null, r.merged_at), r.created_at, ''), p.start, p.end_, p.body
from json_each(:ids) asked
cross join passages p on p.id = iif(:first, (select min(id) from passages where record_id = asked.value), asked.value)
cross join records r on r.id = p.record_id
order by iif(:first, asked.key, p.id);

-- name: known_records
-- Those of some records that were known at :as_of: a file without a date since the commit that brought it, or where its
-- heading has one, or its project nothing later; and none of which the text may be of a later commit. What a fact says of a
-- record was known once that was merged or closed.
select r.id from json_each(:ids) asked cross join records r on r.id = asked.value
where coalesce(iif(:facts, coalesce(r.merged_at, r.closed_at), null), r.created_at, r.merged_at, r.closed_at, (
        select min(t.created_at) from links l
        cross join records t on t.source_id = l.source_id and t.ref = l.from_ref
        where l.source_id = r.source_id and l.to_source = '' and l.to_ref = 'file:' || r.path and l.relation = 'touches'
    ), iif(r.type in ('doc', 'directive', 'ownership', 'project', 'code') and (
        r.title glob '*[12][0-9][0-9][0-9]-[01][0-9]-[0-3][0-9]*' or r.source_id not in ( -- it is today's text
            select l.source_id from records l where coalesce(l.merged_at, l.created_at) > :as_of
        )
    ), '', null)) <= :as_of
    and (r.type not in ('doc', 'directive', 'ownership', 'project', 'code') or not exists ( -- what it says may be of that change
        select 1 from links l
        cross join records t on t.source_id = l.source_id and t.ref = l.from_ref
        where l.source_id = r.source_id and l.to_source = '' and l.to_ref = 'file:' || r.path and l.relation = 'touches'
            and t.created_at > :as_of
    ) or (r.created_at is not null and 1 >= iif(r.state in ('', 'active'), ( -- of a decision but the state changes later
        select count(*) from links l
        where l.source_id = r.source_id and l.to_source = '' and l.to_ref = 'file:' || r.path and l.relation = 'touches'
    ), 0)));
