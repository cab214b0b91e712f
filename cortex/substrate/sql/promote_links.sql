-- promote_links.sql: what fixed, reverted, brought back, replaced or doubled what; a pull request that was not merged only meant to.
-- Of more than :most targets of one relation those beyond are counted in one fact. What a stranger's pull request would do is
-- no fact before somebody of the project takes it up.
insert into temp.candidates (record_id, kind, statement, start, end_, confidence, valid_from, valid_until)
select
    r.id,
    case
        when t.type = 'issue' and l.relation = 'fixes' then iif(
            kind_of(t.type, t.title, t.labels, t.state, t.body) = 'incident' and not coalesce(t.vouched < length(t.title) and r.vouched is not 0, false),
            'incident', 'change'
        )
        when r.type = 'issue' and l.relation <> 'superseded_by' then
            iif(kind_of(r.type, r.title, r.labels, r.state, r.body) = 'incident', 'incident', iif(l.relation = 'duplicates', 'spec', 'change'))
        else 'change'
    end,
    opening(r.type, r.ref) || ' "' || trim(r.title) || '"'
    || case
        when r.type = 'issue' then coalesce(' (' || substr(r.created_at, 1, 10) || iif(r.author <> '', ' by ' || r.author, '') || ')', '')
        when r.type = 'commit' then coalesce(' (' || iif(r.author <> '', 'by ' || r.author || ', ', '') || substr(r.created_at, 1, 10) || ')', '')
        else ' (' || iif(r.author <> '', 'by ' || r.author || ', ', '') || case
            when r.merged_at is not null then 'merged ' || substr(r.merged_at, 1, 10)
            when r.state in ('open', 'merged') then r.state
            else 'closed unmerged' end || ')'
    end
    || case l.relation
        when 'fixes' then case
            when r.type = 'commit' or r.merged_at is not null or r.state = 'merged' then ' fixed '
            when r.state = 'open' then ' would fix ' else ' was meant to fix ' end
        when 'reverts' then case
            when r.type = 'commit' or r.merged_at is not null or r.state = 'merged' then ' reverted '
            when r.state = 'open' then ' would revert ' else ' was meant to revert ' end
        when 'reapplies' then case
            when r.type = 'commit' or r.merged_at is not null or r.state = 'merged' then ' brought back '
            when r.state = 'open' then ' would bring back ' else ' was meant to bring back ' end
        when 'supersedes' then case
            when r.type <> 'pull' or r.merged_at is not null or r.state = 'merged' then ' replaced '
            when r.state = 'open' then ' would replace ' else ' was meant to replace ' end
        when 'fixed_by' then ' was fixed by '
        when 'superseded_by' then ' was replaced by '
        else ' is a duplicate of '
    end
    || iif(l.place > :most and l.targets > l.place, (l.targets - :most) || ' more', called(t.type, t.ref)
        || iif(t.vouched < length(t.title) and r.vouched is not 0, '', ' "' || trim(t.title) || '"')), -- nobody's words in another's
    place_start(r.title, r.body, t.ref), place_end(r.title, r.body, t.ref), 0.9, coalesce(r.merged_at, r.created_at), null
from (
    select r.id, l.relation, t.id as target,
        row_number() over (partition by r.id, l.relation order by l.to_ref) as place,
        count(*) over (partition by r.id, l.relation) as targets
    from links l -- few of them say so: one walk over all is cheaper than a look for each record
    cross join records r on r.source_id = l.source_id and r.ref = l.from_ref
    cross join temp.due on due.id = r.id
    cross join records t on t.source_id = l.source_id and t.ref = l.to_ref
    where l.source_id = :source_id and l.to_source = ''
      and l.relation in ('fixes', 'reverts', 'reapplies', 'supersedes', 'superseded_by', 'duplicates', 'fixed_by')
      and due.type in ('pull', 'issue', 'commit') and trim(r.title) <> '' and t.ref <> r.ref
      and t.type in ('pull', 'issue', 'commit') and t.gone_at is null and case l.relation
        -- a commit's number may be of the fork it was made in, whose #30 is another
        when 'fixes' then due.type = 'pull'
            or due.type = 'commit' and t.type <> 'pull' and coalesce(julianday(r.created_at) - julianday(t.closed_at) < 30, true)
        when 'reverts' then due.type in ('pull', 'commit') and t.type in ('pull', 'commit')
        when 'reapplies' then due.type in ('pull', 'commit') and t.type in ('pull', 'commit')
        when 'supersedes' then due.type in ('pull', 'issue')
        when 'superseded_by' then due.type in ('pull', 'issue')
        when 'duplicates' then due.type in ('pull', 'issue') and t.type in ('pull', 'issue')
        when 'fixed_by' then due.type = 'issue' and t.type in ('pull', 'commit') and (t.type = 'commit' or t.merged_at is not null)
        else false
      end
      and (due.type <> 'commit' or not exists (
        select 1 from links m where m.source_id = r.source_id and m.from_ref = r.ref and m.relation = 'merges'
      ))
      and not (is_trivial(r.title, r.author) and is_trivial(t.title, t.author))
      and (due.type <> 'pull' or r.merged_at is not null or not exists (select 1 from unverified u where u.id = r.id))
) l
cross join records r on r.id = l.id
cross join records t on t.id = l.target
where l.place <= :most + 1
