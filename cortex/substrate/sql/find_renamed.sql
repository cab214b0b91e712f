-- find_renamed.sql: each handle of a source with what it becomes.
insert or ignore into temp.renaming (was, becomes)
select f.handle, handle_of(:name, r.ref, f.statement)
from facts f cross join records r on r.id = f.record_id
where f.source_id = :source_id
union
select handle, handle_of(:name, record_ref, statement) from facts_archive where source_id = :source_id
union
select handle, handle_of(:name, record_ref, statement) from facts_revived where source_id = :source_id
