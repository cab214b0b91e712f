-- paths_ending.sql: the files in any folder that are called so, two at most: more than one is not known to be meant.
select distinct substr(l.to_ref, 6)
from json_each(:sources) s
cross join json_each(:names) asked
cross join links l
on l.source_id = s.value and l.to_source = '' and l.relation = 'touches' and l.to_ref between 'file:' and 'file;'
    and substr(l.to_ref, -length(asked.value) - 1) = '/' || asked.value
limit 2
