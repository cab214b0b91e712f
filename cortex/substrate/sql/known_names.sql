-- known_names.sql: which words are people or labels of issues and pull requests, as the sources write them.
with asked as materialized (select value as word from json_each(:words)),
threads as materialized (
    select distinct r.author, r.merged_by, r.closed_by, r.labels, r.assignees
    from records r
    where r.source_id in (select value from json_each(:sources)) and r.type in ('issue', 'pull') and r.gone_at is null
)
select distinct 'person', a.word, t.author from threads t join asked a on lower(t.author) = a.word
union
select distinct 'person', a.word, t.merged_by from threads t join asked a on lower(t.merged_by) = a.word
union
select distinct 'person', a.word, t.closed_by from threads t join asked a on lower(t.closed_by) = a.word
union
select distinct 'person', a.word, p.value
from threads t join json_each(t.assignees) p join asked a on lower(p.value) = a.word
union
select distinct 'label', a.word, l.value from threads t join json_each(t.labels) l join asked a on lower(l.value) = a.word;
