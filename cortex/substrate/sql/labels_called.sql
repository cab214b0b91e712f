-- labels_called.sql: the labels that are called by one of :names, whole or after 'kind/' or 'kind: '.
select distinct l.value
from json_each(:sources) s
cross join json_each('["issue", "pull"]') t
cross join records r on r.source_id = s.value and r.type = t.value
cross join json_each(r.labels) l
cross join json_each(:names) n
where r.labels <> '[]' and r.gone_at is null
    and (lower(l.value) = n.value or substr(lower(l.value), -length(n.value) - 1) in ('/' || n.value, ':' || n.value)
        or substr(lower(l.value), -length(n.value) - 2) = ': ' || n.value)
