-- name: facts_temp
-- Where a batch of facts is put together before it replaces what stood, and commits whose change a pull request tells.
create temp table if not exists due (id integer primary key, type text);
create temp table if not exists told (id integer not null, pull integer not null);
create temp table if not exists candidates (
    id integer primary key, record_id integer not null, kind text not null, statement text not null, start integer not null,
    end_ integer not null, confidence real not null, valid_from text, valid_until text
);
create temp table if not exists arriving (candidate integer primary key, handle text not null unique);

-- name: arriving_facts
-- The name of each candidate; of two that say the same of one record the first counts.
insert or ignore into temp.arriving (candidate, handle)
select c.id, handle_of(s.name, r.ref, c.statement)
from temp.candidates c
cross join records r on r.id = c.record_id
cross join sources s on s.id = r.source_id
order by c.id;

-- name: put_facts
-- Facts that are new, or say the same from another place or with another weight.
insert into facts (
    source_id, record_id, handle, kind, statement, excerpt, start, end_, authority, confidence, base_confidence,
    fingerprint, path, valid_from, valid_until, touched_at, parts
)
select
    r.source_id, r.id, a.handle, c.kind, c.statement, excerpt_of(r.id, c.start, c.end_), c.start, c.end_,
    r.authority, c.confidence, c.confidence, fingerprint_of(c.statement), :path, c.valid_from, c.valid_until,
    coalesce(r.updated_at, r.created_at), parts_of(c.statement)
from temp.arriving a
cross join temp.candidates c on c.id = a.candidate
cross join records r on r.id = c.record_id
where not exists (
    -- what a compaction took out stays out while its record says the same and thinks no more of it
    select 1 from facts_archive x
    where x.handle = a.handle and x.record_hash = r.content_hash and x.job <> 'orphans'
      and (x.merged_into is not null or x.base_confidence >= c.confidence)
      and not exists (select 1 from facts f where f.handle = a.handle)
)
order by a.candidate
on conflict (handle) do update set
    kind = excluded.kind, excerpt = excluded.excerpt, start = excluded.start, end_ = excluded.end_,
    authority = excluded.authority, confidence = iif(
        (facts.base_confidence, facts.touched_at) is (excluded.base_confidence, excluded.touched_at), facts.confidence,
        min(1.0, excluded.base_confidence + 0.05 * facts.corroboration)
    ), base_confidence = excluded.base_confidence,
    valid_from = excluded.valid_from, valid_until = excluded.valid_until, touched_at = excluded.touched_at
where (facts.kind, facts.excerpt, facts.start, facts.end_, facts.authority, facts.base_confidence)
    is not (excluded.kind, excluded.excerpt, excluded.start, excluded.end_, excluded.authority, excluded.base_confidence)
    or (facts.valid_from, facts.valid_until, facts.touched_at)
    is not (excluded.valid_from, excluded.valid_until, excluded.touched_at);

-- name: end_facts
-- What a document's facts said of a decision stopped being true with the decision that replaced it.
update facts set valid_until = ended.at
from (
    select f.id, (
        select min(l.since) from records d
        cross join lineage l on l.record_id = d.id
        where d.source_id = r.source_id and d.ref = 'doc:' || r.path
            and l.state = 'superseded' and l.until = '' and l.since <> '' and l.by_record_id <> d.id
    ) as at
    from records r
    cross join facts f on f.record_id = r.id
    where r.source_id = :source_id and r.type = 'doc' and r.state <> '' and f.path = 'docs'
) ended
where facts.id = ended.id and facts.valid_until is not ended.at;

-- name: delete_stale_facts
-- What archive_stale_facts.sql has put away.
delete from facts
where record_id in (select id from temp.due) and path = :path and not exists (
    select 1 from temp.arriving a where a.handle = facts.handle
);

-- name: archive_stale_facts
-- Facts of the records at hand, by whoever made this batch, that did not arrive again.
insert into facts_archive (
    source_id, handle, record_ref, kind, statement, excerpt, start, end_, authority, confidence, base_confidence, fingerprint,
    path, valid_from, valid_until, touched_at, run_id, job, reason, merged_into, archived_at, fact_id, record_hash, corroboration
)
select
    f.source_id, f.handle, r.ref, f.kind, f.statement, f.excerpt, f.start, f.end_, f.authority, f.confidence,
    f.base_confidence, f.fingerprint, f.path, f.valid_from, f.valid_until, f.touched_at, :run_id, 'replaced',
    iif(exists (
        select 1 from facts_queue q
        where q.source_id = r.source_id and q.record_id = r.id and q.content_hash = r.content_hash
          and q.path = f.path and q.distiller <> ''
    ), 'its record was read anew', 'its record changed'), null, :now, null, null, 0
from temp.due
cross join facts f on f.record_id = due.id
cross join records r on r.id = f.record_id
where f.path = :path and not exists (select 1 from temp.arriving a where a.handle = f.handle);

-- name: rebase_confidence
-- Where a fact arrives with another confidence, or touched again, it never faded, whichever run is undone.
update confidence_before set confidence = min(1.0, n.confidence + 0.05 * confidence_before.corroboration)
from (
    select f.id, f.handle, c.confidence
    from temp.arriving a
    cross join temp.candidates c on c.id = a.candidate
    cross join records r on r.id = c.record_id
    cross join facts f on f.handle = a.handle
    where (f.base_confidence, f.touched_at) is not (c.confidence, coalesce(r.updated_at, r.created_at))
) n
where confidence_before.fact_id = n.id and confidence_before.handle = n.handle;

-- name: fact_by_handle
-- A fact as it stands now.
select
    s.name as source, r.ref as record, f.handle, f.kind, f.statement, f.excerpt, f.start, f.end_ as "end",
    f.authority, f.confidence, f.fingerprint, f.path as made_by, f.valid_from, f.valid_until, r.id as record_id,
    f.source_id
from facts f
join records r on r.id = f.record_id
join sources s on s.id = f.source_id
where f.handle = :handle and f.source_id in (select value from json_each(:sources));

-- name: archived_by_handle
-- A fact that was taken out, as it was the last time, and what stands for it now.
with recursive became (handle, depth) as (
    select :handle, 0
    union
    select (
        select a.merged_into from facts_archive a where a.handle = became.handle order by a.id desc limit 1
    ), depth + 1
    from became
    where depth < 100 and became.handle is not null and not exists (select 1 from facts f where f.handle = became.handle)
)
select
    s.name as source, a.record_ref as record, a.handle, a.kind, a.statement, a.excerpt, a.authority, a.confidence,
    a.job, a.reason, (
        select handle from became where handle is not null and depth > 0 order by depth desc limit 1
    ) as merged_into, a.archived_at
from facts_archive a
join sources s on s.id = a.source_id
where a.handle = :handle and a.source_id in (select value from json_each(:sources))
order by a.id desc
limit 1;

-- name: facts_of_record
-- What was taken from a record, in its order.
select
    s.name as source, r.ref as record, f.handle, f.kind, f.statement, f.excerpt, f.start, f.end_ as "end",
    f.authority, f.confidence, f.fingerprint
from facts f
join records r on r.id = f.record_id
join sources s on s.id = f.source_id
where f.record_id = :record_id
order by f.start, f.end_, f.handle;

-- name: browse_facts
-- Facts by what they are, the latest first: those that stand, or that were taken out or whose record is gone.
with found as (
    select
        f.id, f.handle, f.kind, f.statement, f.authority, f.confidence, s.name as source, r.ref, r.title, r.url,
        coalesce(f.end_ > r.vouched or r.vouched = 0, false) as unverified,
        f.valid_from as since, f.touched_at, r.gone_at as archived_at,
        iif(r.gone_at is null, '', 'its record is gone') as reason,
        coalesce(
            (
                select l.to_ref from links l
                where r.gone_at is not null
                  and l.source_id = r.source_id and l.from_ref = r.ref and l.relation = 'moved_to'
            ),
            ''
        ) as instead,
        coalesce(r.gone_at, f.touched_at, f.valid_from, r.created_at, '') as latest
    from facts f
    join records r on r.id = f.record_id
    join sources s on s.id = f.source_id
    where (r.gone_at is not null) = :archived
      and f.source_id in (select value from json_each(:sources))
      and (:kinds is null or f.kind in (select value from json_each(:kinds)))
      and f.authority >= :authority
      and (r.ref = :named or f.handle = :named or not exists (
          select 1 from json_each(:words) w where instr(lower(f.statement), lower(w.value)) = 0
      ))
    union all
    select
        a.id, a.handle, a.kind, a.statement, a.authority, a.confidence, s.name, a.record_ref, '', '',
        exists (
            select 1 from records r
            where r.source_id = a.source_id and r.ref = a.record_ref and (a.end_ > r.vouched or r.vouched = 0)
        ),
        a.valid_from, a.touched_at, a.archived_at, a.job || ': ' || a.reason,
        coalesce(
            a.merged_into,
            (
                select l.to_ref from links l
                where l.source_id = a.source_id and l.from_ref = a.record_ref and l.relation = 'moved_to'
            ),
            ''
        ),
        a.archived_at
    from facts_archive a
    join sources s on s.id = a.source_id
    where :archived
      and a.source_id in (select value from json_each(:sources))
      and (:kinds is null or a.kind in (select value from json_each(:kinds)))
      and a.authority >= :authority
      and (a.record_ref = :named or a.handle = :named or not exists (
          select 1 from json_each(:words) w where instr(lower(a.statement), lower(w.value)) = 0
      ))
)
select *, count(*) over () as total from found
where (:since is null or (latest <> '' and latest >= :since)) and (:until is null or (latest <> '' and latest <= :until))
order by latest desc, handle
limit :limit offset :offset;

-- name: facts_of_kinds
-- Facts of some kinds, the latest first, what nobody trusted wrote last; of any record, or of some.
select f.id
from facts f
where f.source_id in (select value from json_each(:sources)) and f.kind in (select value from json_each(:kinds))
  and (:records is null or f.record_id in (select value from json_each(:records)))
order by
    exists (select 1 from records r where r.id = f.record_id and (f.end_ > r.vouched or r.vouched = 0)), f.valid_from desc nulls last, f.id desc
limit :limit;

-- name: facts_naming
-- Facts of some kinds whose statements have one of these names in them, the latest first.
select f.id, f.statement
from facts f
cross join records r on r.id = f.record_id
where f.source_id in (select value from json_each(:sources)) and f.kind in (select value from json_each(:kinds))
  and r.gone_at is null and exists (select 1 from json_each(:names) n where instr(f.statement, n.value) > 0)
order by coalesce(f.end_ > r.vouched or r.vouched = 0, false), f.valid_from desc nulls last, f.id desc
limit :limit;

-- name: facts_standing
-- Facts of some records, or some facts, with all that tells whether they still stand.
select
    f.id, f.record_id, f.source_id, f.handle, f.kind, f.statement, f.excerpt, f.authority, f.confidence,
    s.name as source, r.ref, r.type, r.title, r.url, r.path, r.state, r.author, r.association, f.valid_from, f.valid_until,
    r.created_at, r.merged_at, r.closed_at, coalesce(f.end_ > r.vouched or r.vouched = 0, false) as unverified,
    exists (
        select 1 from records t where t.source_id = r.source_id and t.ref = r.thread and t.vouched < length(t.title)
    ) as under_unverified,
    (
        select json_array(x.ref, l.since, l.state)
        from records d
        cross join lineage l on l.record_id = d.id
        cross join records x on x.id = l.by_record_id
        where d.source_id = r.source_id and d.ref in (r.ref, 'doc:' || r.path)
            and l.state in ('superseded', 'reverted', 'removed') and l.until = '' and x.id <> d.id
        order by l.since
        limit 1
    ) as replaced
from json_each(:chosen) c
cross join facts f on f.id = c.value
cross join records r on r.id = f.record_id
cross join sources s on s.id = f.source_id
where r.gone_at is null and f.source_id in (select value from json_each(:sources))
order by c.key;

-- name: facts_to_verify
-- Every fact beside its record; by record, so that a body is read once.
select
    f.record_id, f.handle, f.statement, f.excerpt, f.start, f.end_, f.fingerprint, s.name, r.ref,
    f.source_id = r.source_id as at_home
from facts f
join records r on r.id = f.record_id
join sources s on s.id = r.source_id
order by f.record_id;

-- name: read_again
-- Records of what leaves count as not read, and the next full reading replaces them; what was recorded
-- by hand nobody can read again.
update records set content_hash = ''
where id in (select f.record_id from temp.leaving l join facts f on f.id = l.fact_id)
  and origin not in ('agents', 'remembered');

-- name: facts_to_ask
-- Facts of these kinds that stand, those that weigh most and are latest first, one a record.
select type, ref, title, statement, excerpt, body
from (
    select
        r.type, r.ref, r.title, f.statement, f.excerpt, r.body, f.authority * f.confidence as weight, r.updated_at,
        row_number() over (partition by f.record_id order by f.authority * f.confidence desc, f.id) as place
    from facts f
    join records r on r.id = f.record_id
    where f.kind in (select value from json_each(:kinds)) and f.source_id in (select value from json_each(:sources))
        and f.valid_until is null and r.gone_at is null
        and r.type not in ('comment', 'commit') and r.state not in ('closed', 'superseded', 'rejected')
) as weighed
where place = 1
order by weight desc, updated_at desc nulls last, ref
limit :limit;

-- name: facts_of
-- The facts of a record, or the one of a handle.
select f.id from sources s cross join records r on r.source_id = s.id and r.ref = :ref
cross join facts f on f.record_id = r.id
where s.name = :source and :handle in ('', f.handle);

-- name: among
-- Those of some facts that are of some kinds, in their order.
select f.id from json_each(:ids) c cross join facts f on f.id = c.value
where f.kind in (select value from json_each(:kinds))
order by c.key;

-- name: count_facts
-- How many facts some sources have.
select count(*) from facts where source_id in (select value from json_each(:sources));
