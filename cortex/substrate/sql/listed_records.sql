-- listed_records.sql: the records of these types with these states, people, labels, paths, words and days, in order, with how
-- many there are. An empty list asks for nothing; a day is of what :dated names. Labels and assignees are as of today.
with touching as materialized (
    select l.source_id, l.from_ref as ref
    from json_each(:sources) s
    cross join json_each(:paths) p
    cross join links l on l.source_id = s.value and l.to_source = '' and l.relation = 'touches'
        and (l.to_ref = 'file:' || p.value or l.to_ref between 'file:' || p.value || '/' and 'file:' || p.value || '0')
), merging as materialized (
    select source_id, ref from touching
    union
    select t.source_id, l.to_ref from touching t
    cross join links l on l.source_id = t.source_id and l.from_ref = t.ref and l.relation = 'merges' and l.to_source = ''
    union
    select t.source_id, l.from_ref from touching t
    cross join links l on l.source_id = t.source_id and l.to_ref = t.ref and l.relation = 'merges' and l.to_source = ''
), holding as materialized (
    select distinct p.record_id as id from records_fts f cross join passages p on p.id = f.rowid
    where :words <> '' and records_fts match iif(:words = '', '""', :words)
), reviewed as materialized (
    select distinct v.source_id, v.thread as ref
    from json_each(:sources) s
    cross join links l on l.source_id = s.value and l.from_ref between 'comment:' and 'comment;' and l.relation = 'reviews'
        and l.to_source = ''
    cross join records v on v.source_id = l.source_id and v.ref = l.from_ref and v.gone_at is null
    where :verdicts <> '[]' and v.state in (select value from json_each(:verdicts))
        and (:reviewers = '[]' or v.author in (select value from json_each(:reviewers)))
        and (:as_of = '' or v.created_at <= :as_of)
), stood as (
    select
        r.id, r.source_id, r.ref, r.type, r.title, r.author, r.merged_by, r.closed_by, r.labels, r.assignees,
        iif(:as_of <> '' and max(coalesce(r.merged_at, ''), coalesce(r.closed_at, '')) > :as_of, 'open', r.state) as state,
        case :dated
            when 'created' then coalesce(r.created_at, r.merged_at)
            when 'merged' then r.merged_at
            when 'closed' then coalesce(r.closed_at, r.merged_at)
            when 'landed' then coalesce(r.merged_at, r.updated_at, r.created_at)
            else coalesce(r.merged_at, r.closed_at, r.created_at)
        end as day
    from json_each(:sources) s
    cross join json_each(:types) t
    cross join records r on r.source_id = s.value and r.type = t.value
    where r.gone_at is null and (:as_of = '' or coalesce(r.created_at, r.merged_at, r.closed_at) <= :as_of)
)
select r.id, r.author, r.merged_by, r.closed_by, count(*) over () as total
from stood r
where (:states = '[]' or exists (
        select 1 from json_each(:states) s where r.state = s.value or r.state glob s.value || ' *'
    ))
    and (:authors = '[]' or r.author in (select value from json_each(:authors)) or lower(r.author) in (select value from json_each(:authors)))
    and (:mergers = '[]' or r.state = 'merged' and r.merged_by in (select value from json_each(:mergers)))
    and (:closers = '[]' or r.state <> 'open' and r.closed_by in (select value from json_each(:closers)))
    and (:assignees = '[]' or exists (
        select 1 from json_each(r.assignees) a where a.value in (select value from json_each(:assignees))
    ) or :assignees = '[""]' and not exists (select 1 from json_each(r.assignees)))
    and (:labels = '[]' or exists (
        select 1 from json_each(r.labels) l where l.value in (select value from json_each(:labels))
    ))
    and (:and_labels = '[]' or exists (
        select 1 from json_each(r.labels) l where l.value in (select value from json_each(:and_labels))
    ))
    and not exists (select 1 from json_each(r.labels) l where l.value in (select value from json_each(:not_labels)))
    and (r.type <> 'doc' or :words <> '' or instr(r.ref, '#') = 0)
    and (:paths = '[]' or (r.source_id, r.ref) in (select source_id, ref from merging))
    and (:words = '' or r.id in (select id from holding))
    and (:verdicts = '[]' or (r.source_id, r.ref) in (select source_id, ref from reviewed))
    and (:dated = 'reverted' or (:since = '' or r.day >= :since) and (:until = '' or r.day < :until))
    and (not :reverted or exists (
        select 1 from links l
        cross join records v on v.source_id = l.source_id and v.ref = l.from_ref
        where l.source_id = r.source_id and l.to_ref = r.ref and l.to_source = '' and l.relation = 'reverts'
            and v.gone_at is null and (v.type = 'commit' or v.merged_at is not null)
            and (:dated <> 'reverted' or :since = '' or coalesce(v.merged_at, v.created_at) >= :since)
            and (:dated <> 'reverted' or :until = '' or coalesce(v.merged_at, v.created_at) < :until)
            and (:as_of = '' or coalesce(v.merged_at, v.created_at) <= :as_of)
            and not exists (
                select 1 from links b
                cross join records w on w.source_id = b.source_id and w.ref = b.from_ref
                where b.source_id = r.source_id and b.to_ref = r.ref and b.to_source = '' and b.relation = 'reapplies'
                    and w.gone_at is null and (w.type = 'commit' or w.merged_at is not null)
                    and coalesce(w.merged_at, w.created_at) >= coalesce(v.merged_at, v.created_at)
                    and (:as_of = '' or coalesce(w.merged_at, w.created_at) <= :as_of)
            )
    ))
    and (:dated <> 'landed' or r.state = 'merged' or r.type = 'commit' and r.title not like 'merge %' and not exists (
        select 1 from links l where l.source_id = r.source_id and l.from_ref = r.ref and l.relation = 'merges' and l.to_source = ''
        union all
        select 1 from links c
        cross join links m on m.source_id = c.source_id and m.from_ref = c.to_ref and m.relation = 'merges' and m.to_source = ''
        where c.source_id = r.source_id and c.from_ref = r.ref and c.relation = 'came_with' and c.to_source = ''
    ))
    and (not :reverted or r.type <> 'commit' or not exists (
        select 1 from links l where l.source_id = r.source_id and l.from_ref = r.ref and l.relation = 'merges' and l.to_source = ''
        union all
        select 1 from links c
        cross join links m on m.source_id = c.source_id and m.from_ref = c.to_ref and m.relation = 'merges' and m.to_source = ''
        cross join links v on v.source_id = m.source_id and v.to_ref = m.to_ref and v.relation = 'reverts' and v.to_source = ''
        where c.source_id = r.source_id and c.from_ref = r.ref and c.relation = 'came_with' and c.to_source = ''
    ))
order by iif(:oldest, r.day, null), r.day desc, iif(:oldest, -r.id, r.id) desc
limit :limit
