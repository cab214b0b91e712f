-- titles_of_threads.sql: what comments need to know of the issues and pull requests they stand under.
select type, cast(substr(ref, instr(ref, ':') + 1) as integer) as number, title
from records
where source_id = (select id from sources where name = :source) and type in ('issue', 'pull') and gone_at is null
