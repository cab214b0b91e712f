-- backlogs.sql: per source, jobs that are not through, since when, and how many were done in the last minutes of work.
with latest as (
    select source_id, max(finished_at) as at from facts_queue where state = 'done' group by source_id
), recent as (
    select q.source_id, count(*) as done, strftime('%s', l.at) - strftime('%s', min(q.finished_at)) as seconds
    from latest l
    join facts_queue q on q.source_id = l.source_id and q.state = 'done'
      and strftime('%s', q.finished_at) > strftime('%s', l.at) - :seconds
    group by q.source_id
), waiting as (
    select source_id, count(*) as jobs, min(enqueued_at) as since
    from facts_queue where state in ('pending', 'leased', 'failed') group by source_id
)
select s.id, coalesce(w.jobs, 0), w.since, r.done, r.seconds, l.at
from sources s
left join waiting w on w.source_id = s.id
left join recent r on r.source_id = s.id
left join latest l on l.source_id = s.id
