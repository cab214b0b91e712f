-- records_by_metadata.sql: the records of a type with these states, people and labels, the newest first or the oldest,
-- each with what it says of itself and how many there are; with :most only those of whoever has most, where one has.
-- With :each one of everybody who did that, with :verdict those to which it was :given, or not, each with the latest of it.
-- A state may say why: 'closed as duplicate'. Of labels and assignees no history is kept: they are as of today.
with reviews as materialized (
    select
        v.source_id, v.thread as pull, v.id, v.author, v.state, v.created_at,
        row_number() over (partition by v.source_id, v.thread, v.author order by v.created_at desc, v.id desc) as place
    from records v
    where :verdict <> '' and v.source_id in (select value from json_each(:sources)) and v.type = 'comment'
        and (v.state in ('approved', 'changes_requested') or (:verdict = 'reviewed' and v.state in ('commented', 'dismissed')))
        and v.gone_at is null and (:as_of = '' or v.created_at <= :as_of)
), verdicts as materialized (
    select * from reviews
    where place = 1 and (:verdict = 'reviewed' or state = :verdict)
        and (:reviewers = '[]' or author in (select value from json_each(:reviewers)))
), found as (
    select
        r.*,
        iif(:as_of <> '' and coalesce(r.merged_at, r.closed_at, '') > :as_of, 'open', r.state) as stood,
        case :dated
            when 'created' then r.created_at
            when 'merged' then r.merged_at
            when 'closed' then r.closed_at
            when 'verdict' then (
                select max(v.created_at) from verdicts v where v.source_id = r.source_id and v.pull = r.ref
            )
            else coalesce(r.merged_at, r.closed_at, r.created_at)
        end as day,
        exists ( -- whatever brought it back since
            select 1 from links l
            join records v on v.source_id = l.source_id and v.ref = l.from_ref
            where l.source_id = r.source_id and l.to_ref = r.ref and l.to_source = '' and l.relation = 'reverts'
                and v.gone_at is null and (v.type = 'commit' or v.merged_at is not null)
                and (:as_of = '' or coalesce(v.merged_at, v.created_at) <= :as_of)
        ) as taken_back
    from records r
    where r.source_id in (select value from json_each(:sources)) and r.type = :type and r.gone_at is null
        and (:as_of = '' or coalesce(r.created_at, r.merged_at, r.closed_at) <= :as_of)
), listed as materialized (
    select
        r.id, r.source_id, r.ref, r.day,
        case iif(:each = '', :most, :each) when 'created' then r.author when 'merged' then r.merged_by when 'closed' then r.closed_by end as who
    from found r
    where (:states = '[]' or exists (
            select 1 from json_each(:states) s where r.stood = s.value or r.stood glob s.value || ' *'
        ))
        and (:reverted is null or (r.taken_back = :reverted and r.stood not in ('open', iif(:reverted, '', 'closed'))))
        and (:created = '[]' or r.author in (select value from json_each(:created)))
        and (:merged = '[]' or (r.merged_by in (select value from json_each(:merged)) and r.stood = 'merged'))
        and (:closed = '[]' or (r.closed_by in (select value from json_each(:closed)) and r.stood <> 'open'))
        and r.author not in (select value from json_each(:not_created))
        and r.merged_by not in (select value from json_each(:not_merged))
        and r.closed_by not in (select value from json_each(:not_closed))
        and (:assigned = '[]' or exists (
            select 1 from json_each(r.assignees) a where a.value in (select value from json_each(:assigned))
        ))
        and not exists (
            select 1 from json_each(r.assignees) a where a.value in (select value from json_each(:not_assigned))
        )
        and (:any_assigned is null or (r.assignees <> '[]') = :any_assigned)
        and not exists (
            select 1 from json_each(:labels) wanted
            where not exists (
                select 1 from json_each(r.labels) l where l.value in (select value from json_each(wanted.value))
            )
        )
        and not exists (select 1 from json_each(r.labels) l where l.value in (select value from json_each(:unlabelled)))
        and (:any_labelled is null or (r.labels <> '[]') = :any_labelled)
        and (:any_fixed is null or :any_fixed = exists (
            select 1 from links l
            join records p on p.source_id = l.source_id and p.ref = iif(l.relation = 'fixes', l.from_ref, l.to_ref)
            where l.source_id = r.source_id and l.to_source = '' and p.type = 'pull' and p.state = 'merged'
                and ((l.relation = 'fixes' and l.to_ref = r.ref) or (l.relation = 'fixed_by' and l.from_ref = r.ref))
        ))
        and (:verdict = '' or :given = exists (
            select 1 from verdicts v where v.source_id = r.source_id and v.pull = r.ref and v.author <> r.author
        ))
        and (:since = '' or r.day >= :since) and (:until = '' or r.day < :until)
), counted as (
    select who, count(*) as records from listed where who <> '' group by who
), leading as (
    select who from counted where records = (select max(records) from counted)
)
, told as (
    select
        coalesce(iif(:given, (
            select v.id from verdicts v where v.source_id = r.source_id and v.pull = r.ref order by v.created_at desc limit 1
        ), null), r.id) as id,
        r.day, r.who, row_number() over (partition by r.who order by r.day desc) as place
    from listed r
    where :each = '' or r.who <> ''
)
select r.id, (
    select f.id from facts f where f.record_id = r.id and f.path = 'promotion' and f.kind <> 'cross_repo'
    order by iif(f.valid_until is null, 0, exists (select 1 from facts n where n.record_id = f.record_id and n.valid_from >= f.valid_until
            and n.id <> f.id and (n.start, n.end_) = (f.start, f.end_))), f.id limit 1
), count(*) over ()
from told r
where (:each = '' or r.place = 1)
    and (:most = '' or (r.who in (select who from leading) and (select count(*) from leading) = 1))
order by iif(:oldest, r.day, null), r.day desc
limit :limit;
