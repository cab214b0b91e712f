-- unverified_temp.sql: the records that nobody of the project stands behind. This is the one place that says which.
-- They are what clients elsewhere recorded, and what GitHub says a passer-by wrote, unless somebody of the project took
-- it up: merged it, is assigned to it, fixed it by what was merged, or closed it as done. Who reported an issue may close
-- it, and a robot may; that is no more than their word. A remark is never taken up: anybody may add one to anything.
-- Of what comes without GitHub's author_association nothing is known, and it is trusted.
create temp view if not exists unverified as
select r.id
from records r
where r.origin = 'agents'
    or r.type in ('comment', 'issue', 'pull')
    and upper(r.association) not in ('', 'OWNER', 'MEMBER', 'COLLABORATOR', 'CONTRIBUTOR')
    and (r.type = 'comment' or not (
        r.type = 'pull' and (r.state = 'merged' or r.merged_at is not null)
        or r.type = 'issue' and r.state = 'closed' and r.closed_by <> '' and r.closed_by not like '%[bot]'
        and lower(r.closed_by) <> lower(r.author)
        or exists (select 1 from json_each(r.assignees) a where lower(a.value) <> lower(r.author))
        or exists (
            select 1 from links l
            cross join records x on x.source_id = l.source_id and x.ref = l.from_ref
            where l.source_id = r.source_id and l.to_ref = r.ref and l.relation = 'fixes' and l.to_source = ''
                and x.gone_at is null and (x.type = 'commit' or x.type = 'pull' and x.merged_at is not null)
        )
    ));
