-- name: enqueue
-- One job per record and content; a record edited back to what it was is due again. What was remembered is
-- a statement already: it is promoted as it is.
insert into facts_queue (source_id, record_id, content_hash, path, enqueued_at)
select :source_id, :record_id, :content_hash, :path, :now
where not exists (select 1 from records where id = :record_id and origin in ('remembered', 'agents'))
on conflict (source_id, record_id, content_hash) do update set
    state = 'pending', attempts = 0, not_before = null, error = null, enqueued_at = excluded.enqueued_at,
    finished_at = null, lease_owner = null, lease_until = null, abandoned = 0;

-- name: distilled_due
-- The records of these jobs that still say what was distilled, where nobody else leased the job since.
insert or ignore into temp.due (id)
select r.id
from json_each(:jobs) asked
cross join facts_queue q on q.id = cast(asked.value ->> 0 as integer)
cross join records r on r.id = q.record_id
where q.state = 'leased' and q.fence = cast(asked.value ->> 1 as integer)
  and q.content_hash = r.content_hash and r.gone_at is null
--+ for update of q
;

-- name: stale_due
-- The records of dead jobs with a fact that they no longer say.
insert or ignore into temp.due (id)
select distinct r.id
from json_each(:jobs) asked
cross join facts_queue q on q.id = cast(asked.value as integer)
cross join records r on r.id = q.record_id
cross join facts f on f.record_id = r.id
where f.excerpt is not substr(r.body, f.start + 1, f.end_ - f.start);

-- name: open_jobs
-- How many jobs of a path are not through; a record that is gone, or says something else, has none.
select count(*)
from facts_queue q
cross join records r on r.id = q.record_id
where q.source_id = :source_id and q.path = :path and q.state in ('pending', 'leased', 'failed')
  and r.gone_at is null and r.content_hash = q.content_hash;

-- name: jobs
-- Jobs in these states, what needs somebody first.
select
    s.name as source, r.ref, q.path, q.state, q.attempts, q.error, q.distiller, q.enqueued_at, q.not_before, q.lease_owner,
    q.lease_until
from facts_queue q
join sources s on s.id = q.source_id
join records r on r.id = q.record_id
where q.state in (select value from json_each(:states))
  and (:sources is null or s.id in (select value from json_each(:sources)))
order by instr('dead failed leased pending done', q.state), q.priority desc, q.id
limit :limit;

-- name: backlogs
-- Per source, jobs that are not through, since when, and how many were done in the last minutes of work.
with latest as (
    select source_id, max(finished_at) as at from facts_queue
    where state = 'done' and source_id in (select value from json_each(:sources)) group by source_id
), recent as (
    select q.source_id, count(*) as done, unixepoch(l.at) - unixepoch(min(q.finished_at)) as seconds
    from latest l
    join facts_queue q on q.source_id = l.source_id and q.state = 'done'
      and unixepoch(q.finished_at) > unixepoch(l.at) - :seconds
    group by q.source_id, l.at
), waiting as (
    select source_id, count(*) as jobs, min(enqueued_at) as since
    from facts_queue
    where state in ('pending', 'leased', 'failed') and source_id in (select value from json_each(:sources)) group by source_id
)
select s.id, coalesce(w.jobs, 0) as waiting, w.since as oldest, round(1.0 * r.done / max(r.seconds, 1), 1) as per_second,
    l.at as last_done
from sources s
left join waiting w on w.source_id = s.id
left join recent r on r.source_id = s.id
left join latest l on l.source_id = s.id;

-- name: next_due
-- When the next job that failed is due again, and when the next lease ends.
select min(iif(q.state = 'failed', q.not_before, null)), min(iif(q.state = 'leased', q.lease_until, null))
from facts_queue q
cross join records r on r.id = q.record_id
where q.source_id = :source_id and q.path = :path and q.state in ('failed', 'leased')
  and r.gone_at is null and r.content_hash = q.content_hash;

-- name: lease_jobs
-- The next jobs of a path belong to one worker for a while; the fence tells this lease from any other.
with due as materialized (
    select q.id
    from facts_queue q
    cross join records r on r.id = q.record_id
    where q.source_id = :source_id and q.path = :path and q.state = 'pending'
      and r.gone_at is null and r.content_hash = q.content_hash
    order by q.priority desc, q.id
    limit :limit
    --+ for update of q skip locked
)
update facts_queue set state = 'leased', lease_owner = :owner, lease_until = :until, fence = fence + 1,
    closes = iif(exists (select 1 from closings c where c.id = facts_queue.record_id), 1, 0)
where id in (select id from due)
returning id;

-- name: take_jobs
-- Jobs that were leased just now, with the text they are about.
select
    q.id, q.fence, q.attempts, q.abandoned, r.id, r.type, r.ref, r.title, r.body, r.author, r.state, r.created_at,
    r.association, r.path, q.closes, r.blocks
from json_each(:jobs) asked
cross join facts_queue q on q.id = cast(asked.value as integer)
cross join records r on r.id = q.record_id
order by q.priority desc, q.id;

-- name: leases_beyond
-- Who holds jobs of a path for longer than any lease lasts, until when, and how many.
select lease_owner, max(lease_until), count(*) from facts_queue
where source_id = :source_id and path = :path and state = 'leased' and lease_until > :latest and lease_owner is not :owner
group by lease_owner;

-- name: reclaim_jobs
-- What failed and has waited long enough is due again, and so is what another held beyond its lease, or
-- holds for longer than any lease lasts.
with ended as materialized (
    select id from facts_queue
    where source_id = :source_id and path = :path and state in ('failed', 'leased')
      and (iif(state = 'failed', not_before, lease_until) <= :now or (state = 'leased' and lease_until > :latest))
      and lease_owner is not :owner
    --+ for update skip locked
)
update facts_queue set
    state = 'pending', abandoned = abandoned + iif(state = 'leased', 1, 0), lease_owner = null, lease_until = null,
    not_before = null
where id in (select id from ended);

-- name: release_jobs
-- What a worker holds is due again: given back, or lost with a worker that is no more.
update facts_queue set state = 'pending', abandoned = abandoned + :lost, lease_owner = null, lease_until = null
where source_id = :source_id and path = :path and state = 'leased' and lease_owner = :owner;

-- name: finish_job
-- Done, with what it made; a lease that another has followed finishes nothing.
update facts_queue set
    state = 'done', finished_at = :now, attempts = attempts + 1, distiller = :distiller, rank = :rank,
    error = null, not_before = null, lease_owner = null, lease_until = null, abandoned = 0,
    produced = (select count(*) from facts f where f.record_id = facts_queue.record_id and f.path = facts_queue.path)
where id = :id and fence = :fence and state = 'leased';

-- name: fail_job
-- Failed, until it is due again or for good.
update facts_queue set
    state = :state, attempts = attempts + 1, error = :error, not_before = :not_before, distiller = :distiller,
    rank = :rank, finished_at = iif(:state = 'dead', :now, null), lease_owner = null, lease_until = null, abandoned = 0
where id = :id and fence = :fence and state = 'leased';

-- name: retry_jobs
-- Jobs that failed or died are due at once, before any other.
update facts_queue set
    state = 'pending', attempts = 0, error = null, not_before = null, finished_at = null, abandoned = 0, priority = 1
where state in ('failed', 'dead')
  and (:sources is null or source_id in (select value from json_each(:sources)))
  and (:refs is null or record_id in (select id from records where ref in (select value from json_each(:refs))));

-- name: requeue_closings
-- Texts that close a thread now, or do no more, are read again.
update facts_queue set state = 'pending', attempts = 0, finished_at = null
where source_id = :source_id and path = 'comments' and state = 'done'
  and closes <> iif(exists (select 1 from closings c where c.id = facts_queue.record_id), 1, 0)
  and exists (
    select 1 from records r
    where r.id = facts_queue.record_id and r.content_hash = facts_queue.content_hash and r.gone_at is null
  );

-- name: requeue_outranked
-- Jobs that a distiller of a lower rank did, or failed at, are due again.
-- If asked, so are those of any other distiller.
update facts_queue set state = 'pending', attempts = 0, error = null, not_before = null, finished_at = null
where source_id = :source_id and path = :path and state in ('done', 'failed', 'dead')
  and (rank < :rank or (:again and distiller <> :distiller));

-- name: requeue_stripped
-- Jobs whose facts are no longer there, though nothing archived them, are due again.
update facts_queue set state = 'pending', attempts = 0, finished_at = null
where source_id = :source_id and state = 'done' and produced > 0
  and not exists (select 1 from facts f where f.record_id = facts_queue.record_id and f.path = facts_queue.path)
  and not exists (
    select 1 from facts_archive a join records r on r.source_id = a.source_id and r.ref = a.record_ref
    where r.id = facts_queue.record_id and a.job <> 'replaced'
);

-- name: drop_jobs
-- Jobs that are not through are forgotten; only dead ones where none is named.
delete from facts_queue
where (state = 'dead' or :refs is not null and state in ('pending', 'failed'))
  and (:sources is null or source_id in (select value from json_each(:sources)))
  and (:refs is null or record_id in (select id from records where ref in (select value from json_each(:refs))));

-- name: drop_outdated_jobs
-- Jobs for a content its record no longer has, and for records that are gone.
delete from facts_queue
where source_id = :source_id
  and not exists (
    select 1 from records r
    where r.id = facts_queue.record_id and r.content_hash = facts_queue.content_hash
      and (r.gone_at is null or facts_queue.state = 'done')
);
