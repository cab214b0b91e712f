-- lineage_of.sql: what stands in the place of some records at a time, at the end of each chain; a part of a document goes
-- with the document.
with recursive asked(id, of_id) as (
    select r.id, r.id from json_each(:records) a cross join records r on r.id = a.value
    union
    select r.id, d.id from json_each(:records) a
    cross join records r on r.id = a.value
    cross join records d on d.source_id = r.source_id and d.ref = 'doc:' || r.path
    where r.type in ('doc', 'directive') and r.path <> ''
), chain(id, first, state, by_id, certainty, since, depth) as (
    select a.id, l.by_record_id, l.state, l.by_record_id, l.certainty, l.since, 0
    from asked a
    cross join lineage l on l.record_id = a.of_id
    where (:as_of = '' or substr(l.since, 1, length(:as_of)) <= :as_of)
        and (l.until = '' or :as_of <> '' and substr(l.until, 1, length(:as_of)) > :as_of)
    union all
    select c.id, c.first, c.state, l.by_record_id, min(c.certainty, l.certainty), c.since, c.depth + 1
    from chain c
    cross join lineage l on l.record_id = c.by_id and l.state = 'superseded' and l.by_record_id <> c.by_id
    where c.state = 'superseded' and c.depth < 500
        and (:as_of = '' or substr(l.since, 1, length(:as_of)) <= :as_of)
        and (l.until = '' or :as_of <> '' and substr(l.until, 1, length(:as_of)) > :as_of)
), head as (
    select *, row_number() over (partition by id, state, first order by depth desc) as place from chain
)
select h.id, h.state, h.by_id, b.ref, h.certainty, h.since
from head h
cross join records b on b.id = h.by_id
where h.place = 1
order by h.id, h.state = 'amended', h.since desc, b.ref
