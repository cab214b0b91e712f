-- merged_pulls.sql: the pull requests that were merged, the earliest first, each with its title and when.
select ref, title, coalesce(merged_at, '') from records
where source_id = :source_id and type = 'pull' and gone_at is null and (merged_at is not null or state = 'merged')
order by merged_at, id
