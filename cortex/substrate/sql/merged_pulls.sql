-- merged_pulls.sql: the pull requests that were merged, the earliest first, each with its title and when; with :commits those too
-- that merged none.
select ref, title, coalesce(merged_at, created_at, '') as at from records
where source_id = :source_id and gone_at is null and (
    type = 'pull' and (merged_at is not null or state = 'merged')
    or :commits and type = 'commit' and origin <> 'agents' and not exists (
        select 1 from links m where m.source_id = records.source_id and m.from_ref = records.ref and m.relation = 'merges'
    )
)
order by at, id
