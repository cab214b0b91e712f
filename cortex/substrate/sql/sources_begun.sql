-- sources_begun.sql: those of the sources that had a record at :as_of, or have none with a date.
-- What no date tells of was always known, but not before anything else of its project.
select asked.value from json_each(:sources) asked
where exists (
    select 1 from records r
    where r.source_id = asked.value and coalesce(r.created_at, r.merged_at, r.closed_at) <= :as_of
) or not exists (
    select 1 from records r
    where r.source_id = asked.value and coalesce(r.created_at, r.merged_at, r.closed_at) is not null
)
