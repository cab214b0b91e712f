-- put_record.sql: a record as its origin states it now; passages, links and facts follow it.
-- Who closed an issue is told once: what is told of it later, and of the same closing, takes nothing back.
-- A text that changed after somebody took it up is noted; `vouch_records.sql` says who stands behind what.
insert into records (
    source_id, type, ref, title, body, url, path, line_start, line_end, author, association, state, labels, assignees,
    merged_by, closed_by, thread, created_at, updated_at, closed_at, merged_at, authority, origin, content_hash, blocks, vouched
) values (
    :source_id, :type, :ref, :title, :body, :url, :path, :line_start, :line_end, :author, :association, :state,
    :labels, :assignees, :merged_by, :closed_by, :thread, :created_at, :updated_at, :closed_at, :merged_at,
    :authority, :origin, :content_hash, :blocks,
    iif(:origin <> 'agents' and (
        :type not in ('comment', 'issue', 'pull') or upper(:association) in ('', 'OWNER', 'MEMBER', 'COLLABORATOR')
    ), null, 0)
)
on conflict (source_id, ref) do update set
    type = excluded.type, title = excluded.title, body = excluded.body, blocks = excluded.blocks, url = excluded.url, path = excluded.path,
    line_start = excluded.line_start, line_end = excluded.line_end, author = excluded.author,
    association = excluded.association, state = excluded.state, labels = excluded.labels,
    assignees = excluded.assignees, merged_by = excluded.merged_by,
    closed_by = iif(excluded.closed_by = '' and closed_at = excluded.closed_at, closed_by, excluded.closed_by),
    thread = excluded.thread, created_at = excluded.created_at, updated_at = excluded.updated_at,
    closed_at = excluded.closed_at, merged_at = excluded.merged_at, authority = excluded.authority,
    origin = excluded.origin, content_hash = excluded.content_hash, gone_at = null, vouched = excluded.vouched,
    edited_at = iif(
        origin = excluded.origin and body <> excluded.body and (closed_at = excluded.closed_at or merged_at = excluded.merged_at or assignees <> '[]'),
        coalesce(excluded.updated_at, '9999'), edited_at
    )
returning id
