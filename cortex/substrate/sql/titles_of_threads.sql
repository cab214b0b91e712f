-- titles_of_threads.sql: what comments need to know of the issues and pull requests they stand under; of two of one number
-- the last is the one that not only commits tell of.
select type, cast(substr(ref, instr(ref, ':') + 1) as integer) as number, title
from records
where source_id = (select id from sources where name = :source) and type in ('issue', 'pull') and gone_at is null
order by origin <> 'git'
