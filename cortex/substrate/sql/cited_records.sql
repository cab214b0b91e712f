-- cited_records.sql: what a citation tells of its record.
select
    id, source_id, type, ref, title, url, path, line_start, line_end, author, state, labels, assignees, merged_by,
    created_at, updated_at, closed_at, merged_at, authority, body
from records
where id in (select value from json_each(:ids))
