-- stay_archived.sql: what stands by now, or left the archive, is not revived.
delete from temp.reviving
where exists (select 1 from facts f where f.handle = reviving.handle)
   or not exists (select 1 from facts_archive a where a.id = reviving.archive_id and a.handle = reviving.handle)
