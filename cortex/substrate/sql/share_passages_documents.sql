-- share_passages_documents.sql: in how many passages of these sources each of the terms stands.
select asked.value, count(distinct place.doc)
from json_each(:terms) as asked
cross join temp.passages_places as place on place.term = asked.value
where place.doc in (select id from passages where source_id in (select value from json_each(:sources)))
group by asked.value;
