-- commits_between.sql: refs between two, of commits that begin with the same digits.
select distinct r.ref
from json_each(:sources) source
cross join records r on r.source_id = source.value and r.ref between :first and :last
order by r.ref
