-- rows_of_passages.sql: passages with the record and the source they stand in.
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
    ), 0)))
