-- cited_records.sql: what a citation tells of its record.
select
    id, source_id, type, ref, title, url, path, line_start, line_end, author, state, labels, assignees, merged_by,
    created_at, updated_at, closed_at, merged_at, authority, body,
    coalesce((
        select l.from_ref from links l
        where l.source_id = records.source_id and l.to_source = '' and l.to_ref = records.ref and l.relation = 'reverts'
        order by l.from_ref desc limit 1
    ), '') as reverted_by,
    coalesce((
        select l.to_ref from links l
        where l.source_id = records.source_id and l.to_source = '' and l.from_ref = records.ref
            and l.relation = 'supersedes' and records.type <> 'comment'
        order by l.to_ref limit 1
    ), '') as replaces,
    coalesce((
        select l.from_ref from links l
        where l.source_id = records.source_id and l.to_source = '' and l.to_ref = records.ref
            and l.relation = 'supersedes'
        order by l.from_ref desc limit 1
    ), '') as superseded_by
from records
where id in (select value from json_each(:ids))
