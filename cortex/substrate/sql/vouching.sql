-- name: vouch_records
-- Of how many characters of each record of a source, from the start, somebody of the project stands
-- behind; null is all. This is the one place that says which records are unverified: whatever tells so reads the column.
-- Nobody does behind what clients elsewhere recorded, nor what one wrote whom GitHub calls no owner, member or collaborator
-- and who merged no pull request of another, unless somebody with those rights took it up who did not write it, and its
-- text is not known to have changed since: closed the issue as done, and not by merging what an outsider wrote, or merged their
-- own fix of it; or merged the pull request, which stands for what its merge commit says, as do the commits that came with it.
-- A remark is never taken up, and a robot takes nothing up. GitHub tells of no edit: a text may have changed where its record did
-- later than it was taken up.
-- Of what comes without GitHub's author_association nothing is known, and it is trusted: who commits has the right to.
with people as materialized (
    select
        lower(author) as who,
        max(upper(association) in ('OWNER', 'MEMBER', 'COLLABORATOR') and author <> 'ghost') as has
    from records
    where source_id = :source_id and type in ('comment', 'issue', 'pull') and association <> '' and origin <> 'agents'
    group by 1
), rightful as materialized (
    select who from people where has and who <> '' and not is_machine(who)
    union
    select lower(merged_by) from records
    where source_id = :source_id and type = 'pull' and merged_by not in ('', 'ghost') and not is_machine(merged_by)
        and lower(merged_by) <> lower(author) and origin = 'github'
), outsiders as materialized (
    select who from people where not has and who not in (select who from rightful)
), became as ( -- what a pull request became, as GitHub says, or where it does not, as git does
    select p.id, p.source_id, l.to_ref as ref
    from records p
    cross join links l on l.source_id = p.source_id and l.from_ref = p.ref and l.relation = 'merges' and l.to_source = ''
    where p.source_id = :source_id and p.type = 'pull' and (p.merged_at is not null or p.state = 'merged')
    union all
    select p.id, p.source_id, l.from_ref
    from records p
    cross join links l on l.source_id = p.source_id and l.to_ref = p.ref and l.relation = 'merges' and l.to_source = ''
    where p.source_id = :source_id and p.type = 'pull' and (p.merged_at is not null or p.state = 'merged') and not exists (
        select 1 from links g
        where g.source_id = p.source_id and g.from_ref = p.ref and g.relation = 'merges' and g.to_source = ''
    )
), merges as materialized (
    select id, commit_id, body from (
        select b.id, c.id as commit_id, c.body, row_number() over (partition by b.id order by c.body desc) as place
        from became b
        cross join records c on c.source_id = b.source_id and c.ref = b.ref
        where c.type = 'commit' and c.gone_at is null
    )
    where place = 1
), landed as materialized ( -- what outsiders wrote and others merged: who did, in which minute, and as which commit
    select p.ref, lower(p.merged_by) as who, unixepoch(p.merged_at) / 60 as minute, c.ref as commit_ref, m.body
    from records p
    left join merges m on m.id = p.id
    left join records c on c.id = m.commit_id
    where p.source_id = :source_id and p.type = 'pull' and p.merged_at is not null and lower(p.author) in (select who from outsiders)
), brought as materialized ( -- commits that came with it, whatever name they bear
    select l.from_ref as ref, max(p.body) as body
    from landed p
    cross join links l on l.source_id = :source_id and l.to_ref = p.commit_ref and l.relation = 'came_with' and l.to_source = ''
    group by 1
), brought_pulls as materialized ( -- and pull requests of which only such a commit tells
    select r.id, max(b.body) as body
    from brought b
    cross join links l on l.source_id = :source_id and l.to_ref = b.ref and l.relation = 'merges' and l.to_source = ''
    cross join records r on r.source_id = l.source_id and r.ref = l.from_ref
    where r.type = 'pull' and r.created_at is null
    group by 1
), closing as materialized ( -- issues that these or their commits fix: GitHub closes them in the name of who merges
    select l.to_ref as ref from links l
    where l.source_id = :source_id and l.relation = 'fixes' and l.to_source = ''
        and (l.from_ref in (select ref from landed union all select ref from brought union all select commit_ref from landed))
), judged as (
    select r.id, case
        when r.origin = 'agents' then 0
        when r.type = 'commit' and b.ref is not null then vouched_in(r.title, r.body, b.body, 0)
        when t.id is not null then vouched_in(r.title, r.body, t.body, 0)
        when lower(r.author) not in (select who from outsiders) then null
        when r.type = 'commit' then iif(r.id in (select commit_id from merges), null, 0)
        when r.type = 'issue' then iif(
            r.state = 'closed' and r.closed_by not in ('', 'ghost') and not is_machine(r.closed_by) and lower(r.closed_by) <> lower(r.author)
                and lower(r.closed_by) not in (select who from outsiders) and (r.edited_at is null or r.closed_at >= r.edited_at)
                and coalesce(unixepoch(r.updated_at), 0) <= unixepoch(r.closed_at) + 60
                and not is_declined(r.labels) and r.ref not in (select ref from closing)
                and not exists (
                    select 1 from landed p
                    where p.who = lower(r.closed_by) and unixepoch(r.closed_at) / 60 - p.minute between 0 and 1
                )
            or exists (
                select 1 from links l
                cross join records x on x.source_id = l.source_id and x.ref = l.from_ref
                where l.source_id = r.source_id and l.to_ref = r.ref and l.relation = 'fixes' and l.to_source = ''
                    and x.type = 'pull' and x.merged_at is not null and x.gone_at is null
                    and lower(x.author) in (select who from rightful)
                    and (r.edited_at is null or x.merged_at >= r.edited_at)
                    and x.merged_at >= r.created_at and coalesce(unixepoch(r.updated_at), 0) <= 60 + max(
                        unixepoch(x.merged_at), iif(lower(r.closed_by) in (select who from rightful), unixepoch(r.closed_at), 0)
                    )
            ), null, 0)
        when r.type = 'pull' and (r.merged_at is not null or r.state = 'merged') then iif(
            lower(r.merged_by) = lower(r.author)
            or is_machine(r.merged_by) and not exists (
                select 1 from records a
                where a.source_id = r.source_id and a.thread = r.ref and a.thread <> '' and +a.type = 'comment'
                    and a.state = 'approved' and lower(a.author) in (select who from rightful)
                    and not exists (
                        select 1 from records c
                        where c.source_id = a.source_id and c.thread = a.thread and +c.type = 'comment'
                            and c.state = 'changes_requested' and c.created_at > a.created_at
                    )
            ),
            0, vouched_in(r.title, r.body, m.body, iif(
                (r.edited_at is not null and coalesce(r.merged_at < r.edited_at, true)) or unixepoch(r.updated_at) > unixepoch(r.merged_at) + 60, 1, 0
            ))
        )
        when r.type in ('comment', 'issue', 'pull') then 0
        end as vouched
    from records r
    left join merges m on m.id = r.id
    left join brought b on b.ref = r.ref
    left join brought_pulls t on t.id = r.id
    where r.source_id = :source_id and r.gone_at is null
)
update records set vouched = judged.vouched
from judged
where records.id = judged.id and records.vouched is not judged.vouched
returning records.id;

-- name: vouch_links
-- What a record claims to have done to others, where nobody of the project stands behind the place that says
-- so, is only what it says; and once somebody does, it is so. A pull request that is not merged claims nothing yet.
update or replace links set relation = iif(relation glob 'says_*', substr(relation, 6), 'says_' || relation)
where source_id = :source_id and to_source = '' and derived = 0
    and relation in (
        'supersedes', 'superseded_by', 'reverts', 'reverts_part', 'reapplies', 'fixed_by',
        'says_supersedes', 'says_superseded_by', 'says_reverts', 'says_reverts_part', 'says_reapplies', 'says_fixed_by'
    )
    and (relation glob 'says_*') <> exists (
        select 1 from records r
        where r.source_id = links.source_id and r.ref = links.from_ref and r.vouched is not null
            and (r.type <> 'pull' or r.merged_at is not null or r.state = 'merged')
            and not (r.vouched > 0 and (
                place_end(r.title, r.body, links.to_ref) <= r.vouched
                or relation in ('reverts', 'reverts_part', 'reapplies', 'says_reverts', 'says_reverts_part', 'says_reapplies')
                    and takes_back(r.title)
            ))
    )
returning from_ref, to_ref;

-- name: unverified_facts
-- Those of some facts that nobody of the project stands behind.
select f.id
from json_each(:ids) c
cross join facts f on f.id = c.value
cross join records r on r.id = f.record_id
where f.end_ > r.vouched or r.vouched = 0;
