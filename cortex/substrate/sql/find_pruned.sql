-- find_pruned.sql: what has been put away for longer than it is kept; a merged fact's time begins when what it resolves to goes.
insert into temp.pruning (archive_id)
with recursive kept (handle) as (
    select a.merged_into
    from facts_archive a
    where a.source_id = :source_id and a.archived_at < :before and a.merged_into is not null and (
        exists (select 1 from facts f where f.handle = a.merged_into)
        or exists (select 1 from facts_archive m where m.handle = a.merged_into and m.archived_at >= :before)
    )
    union
    select a.handle from kept cross join facts_archive a on a.merged_into = kept.handle
)
select a.id
from facts_archive a
where a.source_id = :source_id and a.archived_at < :before
  and (a.merged_into is null or a.merged_into not in (select handle from kept))
