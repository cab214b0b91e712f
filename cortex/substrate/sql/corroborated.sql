-- corroborated.sql: each survivor of a merge with how many facts said the same, theirs included that merged earlier.
insert into temp.fading (fact_id, confidence)
select f.id, (
    with recursive same (handle) as (
        select a.handle from facts_archive a where a.merged_into = f.handle and a.job = :job
        union
        select a.handle from same join facts_archive a on a.merged_into = same.handle and a.job = :job
    )
    select count(*) from same
)
from facts f
where f.handle in (select merged_into from temp.leaving)
