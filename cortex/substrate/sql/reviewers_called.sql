-- reviewers_called.sql: which words are people who reviewed a pull request, as the sources write them.
select distinct 'person', asked.value, r.author
from records r
join json_each(:words) asked on lower(r.author) = asked.value
where r.source_id in (select value from json_each(:sources)) and r.type = 'comment' and r.gone_at is null
    and r.state in ('approved', 'changes_requested', 'commented', 'dismissed');
