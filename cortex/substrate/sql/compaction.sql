-- name: find_orphans
-- Facts whose record its origin no longer has.
insert into temp.leaving (fact_id, reason)
select f.id, 'its record is gone since ' || substr(r.gone_at, 1, 10)
from records r
cross join facts f on f.record_id = r.id
where r.source_id = :source_id and r.gone_at is not null;

-- name: find_low_confidence
-- Facts that few would bet on, as old as they are now; every one, or those that were just revived.
insert into temp.leaving (fact_id, reason)
select id, 'confidence ' || iif(round(least, 2) < :threshold, round(least, 2), least) || ' is below ' || :threshold
from (
    select f.id, min(f.confidence, round(min(1.0, f.base_confidence * iif(
        f.kind = 'directive' or coalesce(f.touched_at, '') = '', 1.0,
        coalesce((select a.share from temp.ages a where a.moment >= substr(f.touched_at, 1, 19) order by a.moment limit 1), 1.0)
    ) + :worth * f.corroboration), 6)) as least
    from facts f
    where f.source_id = :source_id and (:every or f.handle in (select handle from temp.reviving))
)
where least < :threshold;

-- name: written_apart
-- Facts that say the same word for word, though not all of them letter for letter.
select f.id, f.statement from facts f
where f.source_id = :source_id and f.fingerprint in (
    select fingerprint from facts where source_id = :source_id
    group by fingerprint having count(*) > 1 and min(statement) <> max(statement)
);

-- name: find_exact_duplicates
-- Of facts that say the same word for word and stand alike, all but the weightiest, then earliest.
insert into temp.leaving (fact_id, reason, merged_into)
with repeated as materialized (
    select fingerprint from facts where source_id = :source_id group by fingerprint having count(*) > 1
), ranked as (
    select
        f.id,
        first_value(f.handle) over same as survivor,
        row_number() over same as place
    from repeated
    cross join facts f on f.source_id = :source_id and f.fingerprint = repeated.fingerprint
    cross join records r on r.id = f.record_id
    left join temp.written w on w.fact_id = f.id
    where r.gone_at is null
    window same as (
        partition by f.fingerprint, w.cased, f.valid_until is null
        order by f.authority desc, coalesce(f.valid_from, f.touched_at, '9999'), f.handle
    )
)
select id, 'says word for word what ' || survivor || ' says', survivor from ranked where place > 1;

-- name: find_faded
-- Facts whose confidence is not what their age makes of it.
insert into temp.faded (fact_id, confidence, before, base_confidence, touched_at)
select id, aged, confidence, base_confidence, touched_at
from (
    select f.id, f.confidence, f.base_confidence, f.touched_at, round(min(1.0, f.base_confidence * iif(
        f.kind = 'directive' or coalesce(f.touched_at, '') = '', 1.0,
        coalesce((select a.share from temp.ages a where a.moment >= substr(f.touched_at, 1, 19) order by a.moment limit 1), 1.0)
    ) + :worth * f.corroboration), 6) as aged
    from facts f
    where f.source_id = :source_id
)
where abs(aged - confidence) > 0.000001;

-- name: stay_unfaded
-- What somebody changed since it was found keeps its confidence until the next run.
delete from temp.fading
where not exists (
    select 1 from facts f
    where f.id = fading.fact_id
      and (f.confidence, f.base_confidence, f.touched_at) is (fading.before, fading.base_confidence, fading.touched_at)
);

-- name: facts_to_compare
-- Facts that near duplicates were never looked for, and what frames them.
select f.id, f.statement, f.excerpt, r.type, r.author, r.thread, f.valid_until is null
from facts f
cross join records r on r.id = f.record_id
where f.source_id = :source_id and r.gone_at is null
  and not exists (select 1 from compared c where c.fact_id = f.id);

-- name: facts_by_weight
-- Those of the facts that stand, the weightiest first, then the earliest.
select f.id
from temp.meeting n
cross join facts f on f.id = n.fact_id
cross join records r on r.id = f.record_id
where f.source_id = :source_id and r.gone_at is null
order by f.authority desc, coalesce(f.valid_from, f.touched_at, '9999'), f.handle;

-- name: facts_compared
-- What a comparison needs of some facts, in their order.
select f.id, f.statement, f.excerpt, r.type, r.author, r.thread, f.valid_until is null
from json_each(:ids) asked
cross join facts f on f.id = asked.value
cross join records r on r.id = f.record_id
order by asked.key;

-- name: leave_merged
-- A fact goes into a weightier that stands; either may have gone or changed since they were compared.
insert into temp.leaving (fact_id, reason, merged_into)
select f.id, 'says nearly what ' || s.handle || ' says', s.handle
from facts f cross join facts s on s.id = :survivor
where f.id = :fact_id and f.authority <= s.authority;

-- name: claims
-- Facts of a source that say how things are; what a title says is what somebody did, and no claim.
select f.id, f.handle, f.statement, f.excerpt, f.authority, f.valid_from, r.type, r.author, r.thread, r.ref
from facts f
cross join records r on r.id = f.record_id
where f.source_id = :source_id and r.gone_at is null and f.valid_until is null
  and (f.path <> 'promotion' or r.type in ('directive', 'outcome') or f.statement like '%instead of%')
order by f.id;

-- name: still_standing
-- Facts of what was taken back, or of an open row that another has replaced; beside what did so.
select f.handle, f.statement, n.handle, n.statement, l.state, f.authority, n.authority
from lineage l
cross join records a on a.id = l.record_id
cross join records b on b.id = l.by_record_id
cross join facts f on f.record_id = a.id
cross join facts n on n.record_id = b.id
where l.source_id = :source_id and l.until = '' and l.state in ('reverted', 'superseded') and a.id <> b.id
  and a.gone_at is null and b.gone_at is null and f.valid_until is null and n.valid_until is null
  and a.type in ('pull', 'commit', 'issue', 'directive', 'doc') and b.type in ('pull', 'commit', 'directive', 'doc')
  and (b.type <> 'pull' or b.merged_at is not null)
  and iif(l.state = 'reverted', b.type <> 'doc', a.type <> 'commit' and a.state in ('open', 'accepted', ''))
  and f.kind not in ('ownership', 'cross_repo') and n.kind not in ('ownership', 'cross_repo')
group by a.id
order by f.handle;

-- name: decisions
-- Facts that state what a merged pull request or a commit did, as its title says it, the earliest first.
select
    f.handle, f.statement, f.authority, coalesce(r.merged_at, r.created_at, '') as at, trim(r.title) as title, r.ref,
    r.author
from facts f
cross join records r on r.id = f.record_id
where f.source_id = :source_id and f.path = 'promotion' and f.valid_until is null and r.gone_at is null
  and (r.type = 'commit' or r.type = 'pull' and r.merged_at is not null)
  and substr(f.statement, -length(trim(r.title))) = trim(r.title)
order by at, r.ref;
