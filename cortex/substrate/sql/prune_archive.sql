-- prune_archive.sql: what has been put away for longer than it is kept; a merged fact stays while its survivor resolves.
delete from facts_archive
where source_id = :source_id and archived_at < :before and not (
    merged_into is not null and (
        exists (select 1 from facts f where f.handle = facts_archive.merged_into)
        or exists (select 1 from facts_archive m where m.handle = facts_archive.merged_into and m.merged_into is not null)
    )
)
