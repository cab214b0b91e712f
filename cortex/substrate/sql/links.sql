-- name: resolve_links
-- '#12' becomes the pull request or the issue that has this number; of both the one that is still there.
update or replace links set to_ref = coalesce(
    (select r.ref from records r where r.source_id = links.source_id and r.ref = 'pull:' || substr(links.to_ref, 2)
        and (r.gone_at is null or not exists (
            select 1 from records i
            where i.source_id = r.source_id and i.ref = 'issue:' || substr(links.to_ref, 2) and i.gone_at is null
        ))),
    'issue:' || substr(links.to_ref, 2)
)
where source_id = :source_id and to_source = '' and to_ref glob '#[0-9]*'
  and exists (
    select 1 from records r where r.source_id = links.source_id
    and r.ref in ('pull:' || substr(links.to_ref, 2), 'issue:' || substr(links.to_ref, 2))
);

-- name: resolve_commits
-- A commit that is named by fewer digits than its record becomes the only one that begins with them.
update or replace links set to_ref = (
    select min(r.ref) from records r
    where r.source_id = links.source_id and r.ref >= links.to_ref and r.ref < links.to_ref || 'g' and r.type = 'commit'
)
where source_id = :source_id and to_source = '' and to_ref glob 'commit:*' and length(to_ref) < 19 and (
    select count(*) from records r
    where r.source_id = links.source_id and r.ref >= links.to_ref and r.ref < links.to_ref || 'g' and r.type = 'commit'
) = 1;

-- name: links_of_record
-- What a record points at, then what points at it; titles where this source has the row.
select l.relation, l.to_source as source, l.to_ref as ref, coalesce(t.title, '') as title, coalesce(t.vouched < length(t.title), false) as unverified,
    1 as outward
from links l
left join records t on t.source_id = l.source_id and t.ref = l.to_ref and l.to_source = ''
where l.source_id = :source_id and l.from_ref = :ref
union all
select l.relation, '', l.from_ref, coalesce(f.title, ''), coalesce(f.vouched < length(f.title), false), 0
from links l
left join records f on f.source_id = l.source_id and f.ref = l.from_ref
where l.source_id = :source_id and l.to_ref = :ref and l.to_source = ''
order by 5 desc, 1, 3;

-- name: related
-- What fixed, decided, replaced or doubled each of the records :ids: (its id, the related record's id, how, how sure).
with head as materialized (
    select r.id, r.source_id, r.ref, r.type, r.merged_at, r.closed_at, r.vouched from json_each(:ids) a cross join records r on r.id = a.value
)
select h.id, r.id, case l.relation
    when 'fixes' then iif( -- that an issue which is open was fixed, an outsider's text alone does not say
        r.type = 'commit' or (r.merged_at is not null and (r.vouched is null or h.closed_at is not null)), 'fixed by', 'addressed by'
    )
    when 'reverts' then 'reverted by' when 'reapplies' then 'brought back by' when 'reverts_part' then 'reverted in part by'
    else 'superseded by' end, 1.0
from head h
cross join links l on l.source_id = h.source_id and l.to_ref = h.ref and l.to_source = ''
  and l.relation in ('fixes', 'reverts', 'reapplies', 'reverts_part', 'supersedes')
cross join records r on r.source_id = l.source_id and r.ref = l.from_ref
where r.gone_at is null and case l.relation
    when 'fixes' then h.type = 'issue' and r.type in ('pull', 'commit')
    when 'reverts_part' then r.type = 'commit' or r.merged_at is not null
    else true end
union all
select h.id, r.id, 'fixed by', 1.0
from head h
cross join records c on c.source_id = h.source_id and c.thread = h.ref
cross join links l on l.source_id = c.source_id and l.from_ref = c.ref and l.relation = 'fixed_by' and l.to_source = ''
cross join records r on r.source_id = l.source_id and r.ref = l.to_ref
where (h.type = 'issue' or (h.type = 'pull' and h.merged_at is null and r.id <> h.id)) and c.thread <> '' and r.type in ('pull', 'commit') and r.gone_at is null
union all
select h.id, r.id, 'fixes', 1.0
from head h
cross join links l on l.source_id = h.source_id and l.from_ref = h.ref and l.relation = 'fixes' and l.to_source = ''
cross join records r on r.source_id = l.source_id and r.ref = l.to_ref
where h.type = 'pull' and r.type in ('issue', 'pull') and r.gone_at is null
union all
select h.id, r.id, iif(c.vouched is null, 'duplicate of', 'called duplicate of'), 1.0
from head h
cross join records c on c.source_id = h.source_id and c.thread = h.ref
cross join links l on l.source_id = c.source_id and l.from_ref = c.ref and l.to_source = '' and l.relation in ('duplicates', 'superseded_by')
cross join records r on r.source_id = l.source_id and r.ref = l.to_ref
where c.thread <> '' and r.gone_at is null and r.id <> h.id
union all
select h.id, r.id, iif(h.vouched is null, 'duplicate of', 'called duplicate of'), 1.0
from head h
cross join links l on l.source_id = h.source_id and l.from_ref = h.ref and l.to_source = '' and l.relation in ('duplicates', 'superseded_by')
cross join records r on r.source_id = l.source_id and r.ref = l.to_ref
where r.gone_at is null and r.id <> h.id
union all
select h.id, c.id, 'closed with', 1.0
from head h
cross join records c on c.source_id = h.source_id and c.thread = h.ref
where c.thread <> '' and h.closed_at is not null and c.gone_at is null
  and abs(unixepoch(c.created_at) - unixepoch(h.closed_at)) <= 60
union all
select h.id, c.id, 'decided in', (1 + max(f.confidence)) / 2
from head h
cross join records c on c.source_id = h.source_id and c.thread = h.ref
cross join facts f on f.record_id = c.id
where c.thread <> '' and c.gone_at is null
group by h.id, c.id;

-- name: merged_linking_to
-- The merged pull requests and the commits that have a :relation to the record :ref, until :as_of
-- where it is given, the latest first.
select distinct r.id, coalesce(r.merged_at, r.created_at, '') as end_
from links l
cross join records r on r.source_id = l.source_id and r.ref = l.from_ref
where l.source_id = :source_id and l.to_ref = :ref and l.relation = :relation and l.to_source = ''
  and r.gone_at is null and (r.type = 'commit' or r.merged_at is not null)
  and (:as_of = '' or coalesce(r.merged_at, r.created_at) <= :as_of)
order by end_ desc;

-- name: misnumbered_pulls
-- Pull requests that only commits tell of, by a number that is an issue's; of those that went
-- what something still refers to.
select p.ref, i.ref
from records p
cross join records i on i.source_id = p.source_id and i.ref = 'issue:' || substr(p.ref, 6)
where p.source_id = :source_id and p.type = 'pull' and p.origin = 'git' and i.gone_at is null and i.origin = 'github'
  and (p.gone_at is null or exists (
    select 1 from links l where l.source_id = p.source_id and l.to_ref = p.ref and l.to_source = ''
));

-- name: retitled
-- Comments with the title that their thread has now, where that is another than when they were read.
select
    c.type, c.ref, t.title, c.body, c.url, c.path, c.line_start, c.line_end, c.author, c.association, c.state, c.thread,
    c.created_at, c.updated_at,
    (
        select json_group_array(json_object('relation', l.relation, 'to_source', l.to_source, 'to_ref', l.to_ref))
        from links l
        where l.source_id = c.source_id and l.from_ref = c.ref and l.relation in ('replies', 'reviews')
    ) as stated
from records c
join records t on t.source_id = c.source_id and t.ref = c.thread and t.gone_at is null
where c.source_id = :source_id and c.type = 'comment' and c.gone_at is null and c.origin = 'github'
  and c.title <> t.title and c.body <> upper(c.state);

-- name: forget_links_of
-- The links of a pull request that is none, and who merged it.
delete from links
where source_id = :source_id and (from_ref = :pull or (to_ref = :pull and to_source = '' and relation = 'merges'));
