-- rows_of_records.sql: the first passage of each record, for records that came by a link and not by their words.
select
    p.id, p.record_id, p.source_id, r.ref, r.type, r.title, r.authority, r.thread, r.state, r.author, r.association, r.origin = 'agents',
    coalesce(r.merged_at, r.created_at, ''), p.start, p.end_, p.body
from json_each(:ids) asked
cross join records r on r.id = asked.value
cross join passages p on p.id = (select min(first.id) from passages first where first.record_id = r.id)
where :as_of = '' or r.created_at <= :as_of
