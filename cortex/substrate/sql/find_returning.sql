-- find_returning.sql: what a run revived and that goes back to the archive without it, as its survivor resolves again.
insert into temp.returning_ (handle)
with recursive returns (handle) as (
    select v.handle from facts_revived v
    where v.revived_by = :run_id and exists (select 1 from facts f where f.handle = v.merged_into)
    union
    select v.handle from returns cross join facts_revived v on v.merged_into = returns.handle
    where v.revived_by = :run_id
)
select handle from returns
