-- incidents.sql: the documents kept in a folder of incidents, or called by one and its day, and the issues labelled or titled as one
-- that none of these names or tells the mending of, the latest first: id, the fact that tells where it stands, type, when it was made,
-- its path and title, how it begins, its title.
with named(word) as (
    values ('incident'), ('incidents'), ('outage'), ('outages'), ('postmortem'), ('postmortems'), ('post-mortem'), ('post-mortems')
), documents as materialized (
    select r.id, r.source_id, r.path from records r
    where r.source_id in (select value from json_each(:sources)) and r.type = 'doc' and r.gone_at is null
        and instr(r.ref, '#') = 0
        and exists (
            select 1 from named
            where instr('/' || lower(r.path), '/' || named.word || '/') > 0
                or '/' || lower(r.path) glob '*/' || named.word || '[-_]report*/*'
                or (
                    r.path glob '*[12][0-9][0-9][0-9]-[01][0-9]-[0-3][0-9]*'
                    and '/' || lower(r.path) || '/' glob '*[-_/]' || named.word || '[-_./]*'
                )
        )
        and lower(r.path) not like '%/readme.%' and lower(r.path) not like '%/index.%' and lower(r.path) not like '%template%'
), told as materialized (
    select l.source_id, l.to_ref as ref
    from documents d
    join records p on p.source_id = d.source_id and p.path = d.path and p.type = 'doc' and p.gone_at is null
    join links l on l.source_id = p.source_id and l.from_ref = p.ref and l.to_source = ''
), found as (
    select id from documents
    union all
    select r.id from records r
    where r.source_id in (select value from json_each(:sources)) and r.type = 'issue' and r.gone_at is null
        and r.state <> 'closed as duplicate' and (
            exists (select 1 from json_each(r.labels) l join named on named.word = lower(l.value))
            or exists (select 1 from named where lower(r.title) like named.word || ':%')
        )
        and not exists (select 1 from told t where t.source_id = r.source_id and t.ref = r.ref)
        and not exists (
            select 1 from links l join told t on t.source_id = l.source_id and t.ref = l.from_ref
            where l.source_id = r.source_id and l.to_source = '' and l.to_ref = r.ref and l.relation = 'fixes'
        )
)
select r.id, (
    select f.id from facts f where f.record_id = r.id and f.path = 'promotion' and f.kind <> 'cross_repo' order by f.id limit 1
), r.type, coalesce(r.created_at, ''), r.path || ' ' || r.title, substr(r.body, 1, 400), r.title
from found cross join records r on r.id = found.id
order by coalesce(r.created_at, r.path) desc, r.ref desc
