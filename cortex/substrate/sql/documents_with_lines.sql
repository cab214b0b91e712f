-- documents_with_lines.sql: the documents, or parts of them, that have all lines of one of the records called :ids in it.
select distinct d.id
from json_each(:ids) asked
cross join records r on r.id = asked.value
cross join records d on d.source_id = r.source_id
    and (d.ref = 'doc:' || r.path or (d.ref > 'doc:' || r.path || '#' and d.ref < 'doc:' || r.path || '$'))
where d.type = 'doc' and d.gone_at is null and d.line_start <= r.line_start and d.line_end >= r.line_end
order by d.id
