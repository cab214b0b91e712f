-- cited_records.sql: what a citation tells of its record; with :as_of, of what took it back only what was there by then.
select
    id, source_id, type, ref, title, url, path, line_start, line_end, author, state, labels, assignees, merged_by,
    created_at, updated_at, closed_at, merged_at, authority, body,
    coalesce((
        select max(l.from_ref) from links l
        where l.source_id = records.source_id and l.to_source = '' and l.to_ref = records.ref and l.relation = 'reverts'
            and (:as_of = '' or exists (
                select 1 from records by_ where by_.source_id = l.source_id and by_.ref = l.from_ref
                    and coalesce(by_.merged_at, by_.created_at) <= :as_of
            ))
    ), '') as reverted_by,
    coalesce((
        select min(l.to_ref) from links l
        where l.source_id = records.source_id and l.to_source = '' and l.from_ref in (records.ref, 'doc:' || records.path)
            and l.relation = 'supersedes' and records.type <> 'comment'
    ), '') as replaces,
    coalesce((
        select max(l.from_ref) from links l
        where l.source_id = records.source_id and l.to_source = '' and l.to_ref in (records.ref, 'doc:' || records.path)
            and l.relation = 'supersedes'
            and (:as_of = '' or exists (
                select 1 from records by_ where by_.source_id = l.source_id and by_.ref = l.from_ref
                    and coalesce(by_.merged_at, by_.created_at) <= :as_of
            ))
    ), '') as superseded_by
from records
where id in (select value from json_each(:ids))
