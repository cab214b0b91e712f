-- Facts have an eighth kind and stricter ones, and of trifles there is none: the next run promotes these anew.

delete from promotions
where record_id in (select id from records where type in ('pull', 'issue', 'commit', 'outcome', 'event'));

-- What one of the project said when a thread was closed without a merge: it tells why.
create view closings as
select r.id
from records r
cross join records t on t.source_id = r.source_id and t.ref = r.thread
where r.type = 'comment' and r.thread <> '' and r.gone_at is null and r.vouched is null
    and t.gone_at is null and t.merged_at is null and t.closed_at is not null and t.closed_by in ('', r.author)
    and abs(unixepoch(r.created_at) - unixepoch(t.closed_at)) <= 60;

-- Whether a text was such a one when it was distilled.
alter table facts_queue add column closes integer not null default 0;
