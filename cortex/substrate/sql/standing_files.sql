-- standing_files.sql: what stands in files, and whether they came with this listing.
select type, path, ref, body, min(id) over (partition by type, path) > :newest as came
from records
where source_id = :source_id and origin = :origin and gone_at is null and type in ('doc', 'directive') and path <> ''
order by ref
