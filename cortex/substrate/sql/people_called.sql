-- people_called.sql: who is called :name, in full or by the first of several names, as the sources write them.
select distinct r.who, lower(r.who) = lower(:name) as whole
from (
    select author as who from records
    where source_id in (select value from json_each(:sources)) and type in ('issue', 'pull', 'commit') and gone_at is null
    union
    select merged_by from records
    where source_id in (select value from json_each(:sources)) and type = 'pull' and gone_at is null
    union
    select closed_by from records
    where source_id in (select value from json_each(:sources)) and type in ('issue', 'pull') and gone_at is null
    union
    select a.value from records x, json_each(x.assignees) a
    where x.source_id in (select value from json_each(:sources)) and x.type in ('issue', 'pull') and x.assignees <> '[]'
) r
where lower(r.who) = lower(:name) or r.who like replace(replace(:name, '%', ''), '_', '\_') || ' %' escape '\'
