-- rows_of_facts.sql: facts with the record and the source they were taken from.
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
    ))
