-- promote_references.sql: what refers to another repository.
-- Links are gathered before their records are read: beside each link stands no body.
insert into temp.candidates (record_id, kind, statement, start, end_, confidence, valid_from, valid_until)
select
    r.id, 'cross_repo',
    opening(r.type, r.ref) || ' "' || trim(r.title) || '"'
    || coalesce(' (' || iif(r.author <> '', 'by ' || r.author || ', ', '')
        || iif(r.merged_at is not null, 'merged ', '') || substr(coalesce(r.merged_at, r.created_at), 1, 10) || ')', '')
    || ' refers to ' || listed(g.refs),
    place_start(r.title, r.body, g.first), place_end(r.title, r.body, g.first), 0.85,
    coalesce(r.merged_at, r.created_at), null
from (
    select r.id, min(l.to_ref) as first, group_concat(distinct l.to_source || case
        when l.to_ref glob 'commit:*' then '@' || substr(l.to_ref, 8)
        when l.to_ref glob 'comment:*' then '#' || substr(l.to_ref, 9, instr(l.to_ref, '#') - 9)
        else l.to_ref end) as refs
    from links l
    cross join records r on r.source_id = l.source_id and r.ref = l.from_ref
    cross join temp.due on due.id = r.id
    where l.source_id = :source_id and l.to_source <> '' and due.type in ('pull', 'issue')
    group by r.id
) g
cross join records r on r.id = g.id
where trim(r.title) <> ''
