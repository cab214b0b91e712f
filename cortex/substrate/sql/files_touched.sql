-- files_touched.sql: of each of these files of a source, whether its tree has it now, and how many commits touched it; null
-- where the tree was never read.
select
    p.value,
    iif(
        exists (select 1 from tree t where t.source_id = :source_id),
        exists (select 1 from tree t where t.source_id = :source_id and t.path = p.value), null
    ),
    (
        select count(*) from links l
        where l.source_id = :source_id and l.to_source = '' and l.relation = 'touches' and l.to_ref = 'file:' || p.value
    )
from json_each(:paths) p
