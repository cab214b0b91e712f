-- name: settle_source
-- A task of this key that was added when its source was not known yet is one of the source.
update tasks set source_id = :source_id
where source_id = 0 and key = :key
  and not exists (select 1 from tasks t where t.source_id = :source_id and t.key = :key);

-- name: known
-- The task of a key.
select id, state from tasks where source_id = :source_id and key = :key;

-- name: enqueue
-- A task of this key is due, once more where it came to an end; what a worker has is done again after that.
insert into tasks (source_id, operation, parameters, key, priority, enqueued_at)
values (:source_id, :operation, :parameters, :key, :priority, :now)
on conflict (source_id, key) do update set
    state = iif(tasks.state in ('leased', 'paused'), tasks.state, 'pending'), wish = iif(tasks.state = 'leased', 'again', ''),
    parameters = excluded.parameters, priority = max(tasks.priority, excluded.priority), attempts = 0, abandoned = 0,
    not_before = null, error = null, progress = '', finished_at = null,
    enqueued_at = iif(tasks.state = 'pending', tasks.enqueued_at, excluded.enqueued_at)
returning id;

-- name: enqueue_night
-- A compaction of each source, behind what waits already.
insert into tasks (source_id, operation, key, priority, enqueued_at)
select id, 'compact', 'night ' || :day, -1, :now from sources
where true
on conflict (source_id, key) do nothing;

-- name: lease
-- The most urgent task that is due belongs to one worker for a while: of a source one at a time.
with due as materialized (
    select t.id
    from tasks t
    where (
        t.state = 'pending' or (t.state = 'failed' and t.not_before <= :now)
        or (t.state = 'leased' and (t.lease_until <= :now or t.lease_until > :latest))
    ) and (:operation is null or t.operation = :operation) and (t.source_id = 0 or not exists (
        select 1 from tasks o
        where o.source_id = t.source_id and o.id <> t.id and o.state = 'leased' and o.lease_until > :now
    ))
    order by t.priority desc, t.id
    limit 1
    --+ for update of t skip locked
)
update tasks set
    state = 'leased', abandoned = abandoned + iif(state = 'leased', 1, 0), fence = fence + 1, lease_owner = :owner,
    lease_until = :until, not_before = null, progress = '', started_at = :now
where id in (select id from due)
returning id, source_id, operation, parameters, fence, attempts, abandoned;

-- name: holds
-- Whether a lease stands; nobody takes it over until the transaction that asks ends.
select 1 from tasks where id = :id and fence = :fence and state = 'leased'
--+ for key share
;

-- name: renew
-- The lease lasts longer; what was asked for meanwhile.
update tasks set lease_until = :until, progress = :progress where id = :id and fence = :fence and state = 'leased'
returning wish;

-- name: finish
-- A task came to an end; a lease that another has followed ends nothing.
update tasks set
    state = iif(wish = 'again' and :state = 'done', 'pending', :state), attempts = iif(:state = 'done', 0, attempts + 1),
    abandoned = 0, wish = '', error = :error, not_before = :not_before, progress = '', lease_owner = null, lease_until = null,
    finished_at = iif(:state = 'failed', null, :now)
where id = :id and fence = :fence and state = 'leased';

-- name: release
-- A worker gives its task back, which is due again, or what was wished.
update tasks set
    state = iif(wish = 'cancel', 'cancelled', iif(wish = 'pause', 'paused', 'pending')), wish = '', lease_owner = null,
    lease_until = null, finished_at = iif(wish = 'cancel', :now, null)
where id = :id and fence = :fence and state = 'leased';

-- name: abandon
-- What a worker had that is no more is due again.
update tasks set
    state = iif(wish = 'cancel', 'cancelled', iif(wish = 'pause', 'paused', 'pending')), wish = '', abandoned = abandoned + 1,
    lease_owner = null, lease_until = null
where state = 'leased' and lease_owner = :owner;

-- name: stop
-- Tasks are no longer due: at once, or as soon as their worker hears of it.
update tasks set
    state = iif(state = 'leased', state, :state), wish = iif(state = 'leased', :wish, ''),
    finished_at = iif(:wish = 'cancel' and state <> 'leased', :now, null)
where id in (select value from json_each(:ids)) and state in ('pending', 'paused', 'failed', 'dead', 'leased')
  and (:sources is null or source_id in (select value from json_each(:sources)));

-- name: resume
-- Tasks that were stopped, or failed, are due.
update tasks set
    state = iif(state = 'leased', state, 'pending'), wish = '', attempts = 0, abandoned = 0, not_before = null, error = null,
    finished_at = null
where (id in (select value from json_each(:ids)) or (:ids is null and state in ('failed', 'dead')))
  and (state in ('paused', 'failed', 'dead', 'cancelled') or wish in ('pause', 'cancel'))
  and (:sources is null or source_id in (select value from json_each(:sources)));

-- name: tasks
-- Tasks in these states, what needs somebody first.
select
    t.id, coalesce(s.name, '') as source, t.operation, t.key, t.parameters, t.state, t.wish, t.priority, t.attempts, t.error,
    t.progress, t.enqueued_at, t.started_at, t.finished_at, t.not_before, t.lease_owner, t.lease_until
from tasks t
left join sources s on s.id = t.source_id
where t.state in (select value from json_each(:states))
  and (:sources is null or t.source_id in (select value from json_each(:sources)))
order by instr('dead failed leased pending paused cancelled done', t.state), t.priority desc, t.id
limit :limit;

-- name: forget
-- Tasks that came to an end before a moment.
delete from tasks where state in ('done', 'cancelled') and finished_at < :before;
