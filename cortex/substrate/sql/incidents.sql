-- incidents.sql: the documents kept in a folder of incidents, else the issues labelled or titled as one, the latest first,
-- each with the fact that tells where it stands, and how many there are.
with named(word) as (
    values ('incident'), ('incidents'), ('outage'), ('outages'), ('postmortem'), ('postmortems'), ('post-mortem'), ('post-mortems')
), documents as materialized (
    select r.id from records r
    where r.source_id in (select value from json_each(:sources)) and r.type = 'doc' and r.gone_at is null
        and instr(r.ref, '#') = 0
        and exists (select 1 from named where instr('/' || lower(r.path), '/' || named.word || '/') > 0)
        and lower(r.path) not like '%/readme.%' and lower(r.path) not like '%/index.%' and lower(r.path) not like '%template%'
), found as (
    select id from documents
    union all
    select r.id from records r
    where not exists (select 1 from documents)
        and r.source_id in (select value from json_each(:sources)) and r.type = 'issue' and r.gone_at is null and (
            exists (select 1 from json_each(r.labels) l join named on named.word = lower(l.value))
            or exists (select 1 from named where lower(r.title) like named.word || ':%')
        )
)
select r.id, (
    select f.id from facts f where f.record_id = r.id and f.path = 'promotion' and f.kind <> 'cross_repo' order by f.id limit 1
), count(*) over ()
from found cross join records r on r.id = found.id
order by coalesce(r.created_at, r.path) desc, r.ref desc
limit :limit
