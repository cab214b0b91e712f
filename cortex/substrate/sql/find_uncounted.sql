-- find_uncounted.sql: what counts a merge that is about to be taken back, by way of others too, and the run since which it does.
insert into temp.recounting (handle, since)
with recursive taken (handle, merged_into, since) as (
    select a.handle, a.merged_into, a.run_id
    from facts_archive a
    where a.job = 'exact_duplicates' and a.merged_into is not null and (
        a.run_id = :run_id
        or a.run_id > :run_id and a.handle in (select v.handle from facts_revived v where v.revived_by = :run_id)
    )
), counts (handle, since) as (
    select t.merged_into, t.since from taken t
    union
    select a.merged_into, max(counts.since, a.run_id)
    from counts cross join facts_archive a on a.handle = counts.handle
    where a.job = 'exact_duplicates' and a.merged_into is not null
)
select handle, min(since) from counts group by handle
