-- parts_of_document.sql: the parts of the document at :path and the rules made of it, with the headings above each.
select id, ref, type, title
from records
where source_id = :source and gone_at is null
    and ((ref > 'doc:' || :path || '#' and ref < 'doc:' || :path || '$')
        or (ref > 'directive:' || :path || '#' and ref < 'directive:' || :path || '$'))
order by id;
