-- find_miscounted.sql: facts that others merged into, or did once.
insert into temp.recounting (handle)
select handle from facts where source_id = :source_id and corroboration > 0
union
select merged_into from facts_archive
where source_id = :source_id and merged_into is not null and job = 'exact_duplicates'
