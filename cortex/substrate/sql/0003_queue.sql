-- What a queue that several processes work off keeps: who made the facts of a job, and how often it was left behind.

-- Who did it last, such as 'rules 2'; a distiller of a higher rank does it again.
alter table facts_queue add column distiller text not null default '';

alter table facts_queue add column rank integer not null default 0;

-- Leases in a row whose owner never came back.
alter table facts_queue add column abandoned integer not null default 0;

drop index queue_due;

create index queue_due on facts_queue (source_id, path, state, priority desc, id);
