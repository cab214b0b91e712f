-- replaced_work.sql: the merged pull requests that did since :day what was agreed in the thread :ref, by their titles, with
-- what replaced each last.
with recursive replaced(title, id, ref, day, depth) as (
    select r.title, r.id, r.ref, r.merged_at, 0
    from links l
    cross join records r on r.source_id = l.source_id and r.ref = l.from_ref
    where l.source_id = :source_id and l.to_ref = :ref and l.to_source = '' and l.relation in ('fixes', 'mentions')
        and r.type = 'pull' and r.gone_at is null and r.merged_at >= :day and (:as_of = '' or r.merged_at <= :as_of)
    union
    select replaced.title, r.id, r.ref, r.merged_at, depth + 1
    from replaced
    cross join links l on l.source_id = :source_id and l.to_ref = replaced.ref and l.to_source = '' and l.relation = 'supersedes'
    cross join records r on r.source_id = l.source_id and r.ref = l.from_ref
    where r.type = 'pull' and r.gone_at is null and r.merged_at > replaced.day and (:as_of = '' or r.merged_at <= :as_of)
)
select title, id, ref from replaced where depth > 0 order by day desc
