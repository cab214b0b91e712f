-- kept_paths.sql: the files that records stand in or speak of, with their sources; not by the word of whom nobody trusts.
select distinct source_id, path
from records
where source_id in (select value from json_each(:sources)) and path <> '' and gone_at is null and origin <> 'agents'
