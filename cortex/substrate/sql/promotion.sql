-- name: find_due
-- Records whose facts are to be made again: changed, telling of one that changed or went, called as a
-- pull request that did, stripped of their facts, or now read otherwise.
insert or ignore into temp.due (id, type)
with structured as materialized (
    select id, type from records
    where source_id = :source_id and type in ('directive', 'pull', 'issue', 'outcome', 'commit', 'ownership', 'project')
    union all
    select id, type from records
    where source_id = :source_id and type = 'event' and origin in ('remembered', 'agents')
), promoted as materialized (
    select p.record_id as id, p.facts, structured.type from structured cross join promotions p on p.record_id = structured.id
), changed as materialized (
    select r.id, r.ref from (
        select id from structured where not exists (select 1 from promotions p where p.record_id = structured.id)
    ) cross join records r using (id)
    where r.gone_at is null
    union all
    select r.id, r.ref from records r
    where r.source_id = :source_id and r.gone_at is not null and r.id in (select id from promoted)
)
select r.id, r.type from changed c
cross join records r on r.id = c.id
where r.gone_at is null
union
select r.id, r.type from changed c
cross join links l on l.source_id = :source_id and l.to_source = '' and l.to_ref = c.ref
cross join records r on r.source_id = :source_id and r.ref = l.from_ref
where exists (select 1 from promoted)
  and (l.relation not in ('mentions', 'co_author', 'replies', 'reviews', 'touches') or r.type = 'outcome')
  and r.gone_at is null and r.type in ('pull', 'issue', 'outcome', 'commit')
union
select r.id, r.type from changed c
cross join links l on l.source_id = :source_id and l.from_ref = c.ref and l.to_source = ''
cross join records r on r.source_id = :source_id and r.ref = l.to_ref
where exists (select 1 from promoted)
  and l.relation in ('reverts', 'reapplies', 'supersedes', 'merges', 'fixes') and r.gone_at is null and r.type in ('pull', 'commit')
union
select r.id, r.type from ( -- what came with what a pull request became
    select m.to_ref as ref from changed c
    cross join links m on m.source_id = :source_id and m.from_ref = c.ref and m.to_source = '' and m.relation = 'merges'
    union
    select m.from_ref from changed c
    cross join links m on m.source_id = :source_id and m.to_ref = c.ref and m.to_source = '' and m.relation = 'merges'
) b
cross join links w on w.source_id = :source_id and w.to_ref = b.ref and w.to_source = '' and w.relation = 'came_with'
cross join records r on r.source_id = :source_id and r.ref = w.from_ref
where exists (select 1 from promoted) and r.gone_at is null and r.type = 'commit'
union
select r.id, r.type from records r
where r.source_id = :source_id and r.type = 'commit' and r.gone_at is null and exists (select 1 from promoted)
  and spoken(r.title) in (
    select spoken(p.title) from changed c cross join records p on p.id = c.id where p.type = 'pull'
)
union
select r.id, r.type from records r
where r.source_id = :source_id and r.type = 'pull' and r.gone_at is null and exists (select 1 from promoted)
  and spoken(r.title) in (
    select spoken(p.title) from changed c cross join records p on p.id = c.id where p.type = 'commit'
)
union -- one that says nothing of its own may have repeated what a pull request was called before
select p.id, p.type from promoted p
cross join records k on k.id = p.id
where p.type = 'commit' and p.facts = 0
  and exists (select 1 from changed c cross join records r on r.id = c.id where r.type = 'pull')
  and not exists ( -- what is linked to one is due with it
    select 1 from links w
    where w.source_id = :source_id and w.from_ref = k.ref and w.to_source = '' and (w.relation = 'merges' or w.relation = 'came_with' and exists (
        select 1 from links m where m.source_id = w.source_id and m.to_ref = w.to_ref and m.relation = 'merges' and m.to_source = ''
        union all
        select 1 from links m where m.source_id = w.source_id and m.from_ref = w.to_ref and m.relation = 'merges' and m.to_source = ''
    ))
    union all
    select 1 from links m where m.source_id = :source_id and m.to_ref = k.ref and m.relation = 'merges' and m.to_source = ''
  )
union
select p.id, p.type from promoted p
where p.facts > 0
  and not exists (select 1 from facts f where f.record_id = p.id and f.path = 'promotion')
  and not exists (
    select 1 from records r cross join facts_archive a on a.source_id = r.source_id and a.record_ref = r.ref
    where r.id = p.id and a.job <> 'replaced'
)
union -- what marks a text has was read otherwise
select p.id, p.type from promoted p cross join records r on r.id = p.id
where p.type in ('directive', 'event') and plain(r.body) <> ''
  and exists (select 1 from facts f where f.record_id = p.id and f.path = 'promotion')
  and not exists (
    select 1 from facts f where f.record_id = p.id and f.path = 'promotion' and instr(f.statement, plain(r.body)) > 0
  );

-- name: promote_directives
-- Each rule, with the headings that say what it is about.
insert into temp.candidates (record_id, kind, statement, start, end_, confidence, valid_from, valid_until)
select
    r.id, 'directive',
    iif(r.title <> '', r.title || ': ', '') || plain(r.body),
    0, length(r.body), 1.0, coalesce(r.updated_at, r.created_at), null
from temp.due cross join records r on r.id = due.id
where due.type = 'directive' and plain(r.body) <> '';

-- name: promote_pulls
-- What a pull request did, when, by whom; it stopped being true with its revert, or with what replaced
-- it, and of one that was brought back there is a fact of before and one of since.
-- Of one whose title does not say how, it is only told who and when; of a typo and the like there is no fact.
insert into temp.candidates (record_id, kind, statement, start, end_, confidence, valid_from, valid_until)
with told as materialized (
    select d.id, l.state, l.until = '' as stands, b.ref, l.since as at
    from temp.due d
    cross join lineage l on l.record_id = d.id
    cross join records b on b.id = l.by_record_id
    where d.type = 'pull'
), clauses as (
    -- a pull request tells more of it than its commit does; of those that no longer stand the last
    select id, state, stands, at,
        iif(state = 'reverted', ', reverted by ', ', brought back by ')
        || iif(ref glob 'pull:*', 'PR #' || substr(ref, 6), replace(ref, ':', ' ')) || coalesce(' on ' || nullif(substr(at, 1, 10), ''), '') as said
    from (
        select *, row_number() over (
            partition by id, state order by stands desc, ref glob 'pull:*' desc, at desc, ref
        ) as place from told where state in ('reverted', 'reinstated')
    ) where place = 1
), intervals(id, said, since, until) as (
    select d.id, coalesce(gone.said, back.said, ''), null, coalesce(gone.at, (
        select min(t.at) from told t
        where t.id = d.id and t.stands and t.state in ('superseded', 'removed') and r.merged_at <= t.at
    ))
    from temp.due d
    cross join records r on r.id = d.id
    left join clauses gone on gone.id = d.id and gone.state = 'reverted'
    left join clauses back on back.id = d.id and back.state = 'reinstated' and back.stands
    where d.type = 'pull' and (gone.id is null or back.id is null)
    union all -- until it was taken back, and since it was brought back
    select gone.id, gone.said || iif(again, back.said, ''), iif(again, back.at, null), iif(again, null, gone.at)
    from clauses gone
    cross join clauses back on back.id = gone.id and back.state = 'reinstated' and back.stands
    cross join (select false as again union all select true) twice
    where gone.state = 'reverted'
)
select
    r.id,
    iif(d.untold, 'change', kind_of(r.type, r.title, r.labels, r.state, r.body)),
    'PR #' || substr(r.ref, 6) || iif(d.untold, ' "' || trim(r.title) || '" (', ' (')
    || case
        when r.state = 'merged' or r.merged_at is not null then
            iif(r.author <> '' and r.author = r.merged_by, 'written and ', '')
            || 'merged' || coalesce(' ' || substr(r.merged_at, 1, 10), '') || iif(r.merged_by <> '', ' by ' || r.merged_by, '')
        when r.state = 'open' then 'open since ' || coalesce(substr(r.created_at, 1, 10), 'an unknown day')
        else 'closed unmerged' || coalesce(' ' || substr(r.closed_at, 1, 10), '') || iif(r.closed_by <> '', ' by ' || r.closed_by, '')
    end
    || iif(r.author not in ('', r.merged_by), ', written by ' || r.author, '')
    || i.said
    || iif(r.labels <> '[]', labelled(r.labels), '')
    || iif(d.untold, ')', '): ' || trim(r.title)),
    0, title_end(r.title, r.body), 0.95, coalesce(i.since, r.merged_at, r.created_at), i.until
from (
    select due.id, is_vague(r.title) as untold
    from temp.due cross join records r on r.id = due.id
    where due.type = 'pull' and not is_trivial(r.title, r.author)
) d
cross join records r on r.id = d.id
cross join intervals i on i.id = d.id
where trim(r.title) <> '';

-- name: promote_issues
-- What an issue is about, and where it stands; of a typo and the like there is no fact.
insert into temp.candidates (record_id, kind, statement, start, end_, confidence, valid_from, valid_until)
select
    r.id,
    kind_of(r.type, r.title, r.labels, r.state, r.body),
    'Issue #' || substr(r.ref, 7) || ' ('
    || iif(
        r.state = 'open',
        'open since ' || coalesce(substr(r.created_at, 1, 10), 'an unknown day'),
        iif(r.state = '', 'state unknown', r.state) || coalesce(iif(r.state glob '* as *', ' on ', ' ') || substr(r.closed_at, 1, 10), '')
            || iif(r.closed_by <> '', ' by ' || r.closed_by, '')
    )
    || iif(r.author <> '', ', reported by ' || r.author, '')
    || iif(r.labels <> '[]', labelled(r.labels), '')
    || '): ' || trim(r.title),
    0, title_end(r.title, r.body), 0.95, r.created_at, null
from temp.due cross join records r on r.id = due.id
where due.type = 'issue' and trim(r.title) <> '' and not is_trivial(r.title, r.author);

-- name: promote_assignees
-- Who has taken an issue or a pull request on.
insert into temp.candidates (record_id, kind, statement, start, end_, confidence, valid_from, valid_until)
select
    r.id, 'ownership',
    iif(due.type = 'pull', 'PR #', 'Issue #') || substr(r.ref, instr(r.ref, ':') + 1) || ' "' || trim(r.title) || '" '
    || iif(r.state = 'open', 'is', 'was') || ' assigned to ' || names(r.assignees),
    0, title_end(r.title, r.body), 0.9, r.created_at, r.closed_at
from temp.due cross join records r on r.id = due.id
where due.type in ('issue', 'pull') and r.assignees <> '[]' and trim(r.title) <> '';

-- name: promote_outcomes
-- What became of a piece of work.
insert into temp.candidates (record_id, kind, statement, start, end_, confidence, valid_from, valid_until)
select
    r.id,
    case r.state when 'shipped' then 'change' when 'rejected' then 'decision' else 'incident' end,
    'Outcome ' || substr(r.ref, 9) || ': "' || trim(r.title) || '" was ' || r.state
    || coalesce(' on ' || substr(coalesce(r.updated_at, r.created_at), 1, 10), '')
    || coalesce((
        select ' (PR #' || group_concat(substr(l.to_ref, 6), ', PR #') || ')'
        from links l where l.source_id = r.source_id and l.from_ref = r.ref and l.relation = 'mentions'
          and l.to_source = '' and l.to_ref glob 'pull:*'
    ), '')
    || iif(r.author <> '', ', noted by ' || r.author, '')
    || iif(length(r.body) > title_end(r.title, r.body), ': ' || plain(substr(r.body, title_end(r.title, r.body) + 1)), ''),
    0, length(r.body), 0.95, coalesce(r.updated_at, r.created_at), null
from temp.due cross join records r on r.id = due.id
where due.type = 'outcome' and r.body <> '';

-- name: promote_events
-- What somebody asked to be remembered, with who said it and where.
insert into temp.candidates (record_id, kind, statement, start, end_, confidence, valid_from, valid_until)
select
    r.id, kind_of_words(r.body), r.title || ': ' || plain(r.body), 0, length(r.body), 0.8,
    coalesce(r.updated_at, r.created_at), null
from temp.due cross join records r on r.id = due.id
where due.type = 'event' and plain(r.body) <> '';

-- name: promote_ownership
-- Who owns a path, as the ownership file says it; a path of CODEOWNERS may be nobody's.
insert into temp.candidates (record_id, kind, statement, start, end_, confidence, valid_from, valid_until)
select
    r.id, 'ownership',
    iif(
        r.assignees <> '[]' or r.path = 'CODEOWNERS' or r.path like '%/CODEOWNERS',
        owned(r.title, r.assignees, s.name),
        iif(r.title <> '', r.title || ': ', '') || plain(r.body)
    ) || iif(r.path <> '', ' (' || r.path || coalesce(' line ' || r.line_start, '') || ')', ''),
    0, length(r.body), 0.95, coalesce(r.updated_at, r.created_at), null
from temp.due cross join records r on r.id = due.id cross join sources s on s.id = r.source_id
where due.type = 'ownership' and trim(r.body) <> '';

-- name: promote_project
-- What a manifest, a workflow or a license states of its project.
insert into temp.candidates (record_id, kind, statement, start, end_, confidence, valid_from, valid_until)
select
    r.id,
    iif(json_extract(r.labels, '$[0]') in (
        'develop', 'test', 'test tools', 'lint', 'linters', 'formatters', 'type checkers', 'coverage', 'build', 'build docs',
        'release', 'security'
    ), 'process', 'spec'),
    r.title || ' (' || r.path || coalesce(' line ' || r.line_start, '') || ')', 0, length(r.body), 0.95,
    coalesce(r.updated_at, r.created_at), null
from temp.due cross join records r on r.id = due.id
where due.type = 'project' and trim(r.body) <> '' -- what starts a workflow and what a task of no known purpose runs is looked up
    and json_extract(r.labels, '$[0]') not in ('schedule', 'task', 'workflow');

-- name: promote_told
-- Commits that came as a pull request or with it, which tells what they did; also those that only repeat its title.
insert into temp.told (id, pull)
with pulls as materialized (
    select id, source_id, ref, title, merged_at is not null or state = 'merged' as merged from records
    where source_id = :source_id and type = 'pull' and gone_at is null and vouched is not 0
), titles as materialized (
    select id, spoken(title) as title from pulls where merged
), became as materialized (
    select p.id, p.title, l.to_ref as ref from pulls p
    cross join links l on l.source_id = p.source_id and l.from_ref = p.ref and l.relation = 'merges' and l.to_source = ''
    union
    select p.id, p.title, l.from_ref from pulls p
    cross join links l on l.source_id = p.source_id and l.to_ref = p.ref and l.relation = 'merges' and l.to_source = ''
)
select d.id, b.id from temp.due d cross join records r on r.id = d.id join became b on b.ref = r.ref where d.type = 'commit'
union
select d.id, t.id from temp.due d cross join records r on r.id = d.id join titles t on t.title = spoken(r.title) where d.type = 'commit'
union
select d.id, b.id
from temp.due d
cross join records r on r.id = d.id
cross join links c on c.source_id = r.source_id and c.from_ref = r.ref and c.relation = 'came_with' and c.to_source = ''
join became b on b.ref = c.to_ref
where d.type = 'commit' and repeats(r.title, b.title);

-- name: promote_commits
-- Commits that came without a pull request; of the others those that alone say why, and of these no more than that.
insert into temp.candidates (record_id, kind, statement, start, end_, confidence, valid_from, valid_until)
with unsaid as materialized (
    select distinct t.id from temp.told t cross join records r on r.id = t.id
    where not exists ( -- a merge tells what others did
        select 1 from links l
        where l.source_id = r.source_id and l.to_ref = r.ref and l.relation = 'came_with' and l.to_source = ''
    ) and reasons(r.title, r.body) <> '[]' and not exists (
        select 1 from temp.told o cross join records p on p.id = o.pull where o.id = t.id and reasons(p.title, p.body) <> '[]'
    )
), reverts as materialized (
    select d.id, min(l.since) as at
    from temp.due d
    cross join lineage l on l.record_id = d.id and l.state = 'reverted'
    where d.type = 'commit' and exists (select 1 from lineage n where n.record_id = d.id and n.state = 'reverted' and n.until = '')
        and not exists (select 1 from lineage n where n.record_id = d.id and n.state = 'reinstated' and n.since > l.since)
    group by d.id
)
select
    r.id,
    iif(due.id in (select id from unsaid), 'told', kind_of(r.type, r.title, r.labels, r.state, r.body)),
    'Commit ' || substr(r.ref, 8)
    || ' (' || coalesce(substr(r.created_at, 1, 10), 'undated') || iif(r.author <> '', ' by ' || r.author, '')
    || iif(v.id is not null, ', reverted' || coalesce(' on ' || substr(v.at, 1, 10), ''), '')
    || '): ' || trim(r.title),
    0, title_end(r.title, r.body), 0.85, r.created_at, v.at
from temp.due cross join records r on r.id = due.id
left join reverts v on v.id = due.id
where due.type = 'commit' and not is_trivial(r.title, r.author) and not is_vague(r.title)
  and (due.id not in (select id from temp.told) or due.id in (select id from unsaid));

-- name: promote_reasons
-- Why a change was made, where its text gives the reason: a decision, beside the fact of what it did.
insert into temp.candidates (record_id, kind, statement, start, end_, confidence, valid_from, valid_until)
select
    r.id, span.value ->> 2, c.statement || iif(substr(c.statement, -1) in ('.', '!', '?'), ' ', '. ')
    || plain(substr(r.body, cast(span.value ->> 0 as integer) + 1, cast(span.value ->> 1 as integer) - cast(span.value ->> 0 as integer))),
    cast(span.value ->> 0 as integer), cast(span.value ->> 1 as integer), 0.8, c.valid_from, c.valid_until
from temp.candidates c
cross join records r on r.id = c.record_id
cross join json_each(reasons(r.title, r.body)) span
where c.start = 0 and c.kind in ('change', 'decision', 'incident', 'told') and substr(c.statement, -length(trim(r.title))) = trim(r.title)
  and (r.type = 'commit' or r.type = 'pull' and (r.merged_at is not null or r.state = 'merged'));

-- name: promote_links
-- What fixed, reverted, brought back, replaced or doubled what; a pull request that was not merged only meant to.
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
    || iif(l.done or l.relation in ('fixed_by', 'superseded_by', 'duplicates'), '', iif(r.state = 'open', ' would', ' was meant to'))
    || case l.relation
        when 'fixes' then iif(l.done, ' fixed ', ' fix ')
        when 'reverts' then iif(l.done, ' reverted ', ' revert ')
        when 'reapplies' then iif(l.done, ' brought back ', ' bring back ')
        when 'supersedes' then iif(l.done, ' replaced ', ' replace ')
        when 'fixed_by' then ' was fixed by '
        when 'superseded_by' then ' was replaced by '
        else ' is a duplicate of '
    end
    || iif(l.place > :most and l.targets > l.place, (l.targets - :most) || ' more', called(t.type, t.ref)
        || iif(t.vouched < length(t.title) and r.vouched is not 0, '', ' "' || trim(t.title) || '"')), -- nobody's words in another's
    place_start(r.title, r.body, t.ref), place_end(r.title, r.body, t.ref), 0.9, coalesce(r.merged_at, r.created_at), null
from (
    select r.id, l.relation, t.id as target, r.type <> 'pull' or r.merged_at is not null or r.state = 'merged' as done,
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
        when 'duplicates' then due.type in ('pull', 'issue') and t.type in ('pull', 'issue')
        when 'fixed_by' then due.type = 'issue' and (t.type = 'commit' or t.type = 'pull' and t.merged_at is not null)
        else iif(l.relation glob 'super*', due.type in ('pull', 'issue'), due.type in ('pull', 'commit') and t.type in ('pull', 'commit'))
      end
      and (due.type <> 'commit' or not exists (
        select 1 from links m where m.source_id = r.source_id and m.from_ref = r.ref and m.relation = 'merges'
      ))
      and not (is_trivial(r.title, r.author) and is_trivial(t.title, t.author))
      and (due.type <> 'pull' or r.merged_at is not null or r.vouched is null)
) l
cross join records r on r.id = l.id
cross join records t on t.id = l.target
where l.place <= :most + 1;

-- name: promote_references
-- What refers to another repository.
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
where trim(r.title) <> '';

-- name: promote_documents
-- What mended nothing but documents tells of no failure in use, and what was chosen for tests alone is no decision.
with asked as materialized (
    select distinct r.id, r.source_id, r.ref from temp.candidates c cross join records r on r.id = c.record_id
    where c.kind in ('decision', 'incident') and r.type in ('pull', 'commit')
), made as materialized (
    select id, source_id, ref from asked
    union
    select a.id, a.source_id, l.to_ref from asked a
    cross join links l on l.source_id = a.source_id and l.from_ref = a.ref and l.relation = 'merges' and l.to_source = ''
    union
    select a.id, a.source_id, l.from_ref from asked a
    cross join links l on l.source_id = a.source_id and l.to_ref = a.ref and l.relation in ('merges', 'came_with') and l.to_source = ''
), wrote as materialized (
    select id, source_id, ref from made
    union
    select m.id, m.source_id, l.from_ref from made m
    cross join links l on l.source_id = m.source_id and l.to_ref = m.ref and l.relation = 'came_with' and l.to_source = ''
), of_kind as materialized (
    select w.id, min(is_document(substr(l.to_ref, 6))) as documents, min(substr(l.to_ref, 6) like '%test%') as tests
    from wrote w
    cross join links l on l.source_id = w.source_id and l.from_ref = w.ref and l.relation = 'touches' and l.to_source = ''
    group by w.id
)
update temp.candidates set kind = 'change'
where record_id in (select id from of_kind where documents) and kind = 'incident'
    or record_id in (select id from of_kind where tests) and kind = 'decision';

-- name: promote_told_once
-- Of what a pull request did, and its commit alone says why, the one that says why is of the kind.
update temp.candidates set kind = 'change'
where start = 0 and kind in ('decision', 'incident') and record_id in (
    select t.pull from temp.told t cross join temp.candidates c on c.record_id = t.id and c.kind in ('decision', 'incident')
);

-- name: promote_nothing_told
delete from temp.candidates where kind = 'told';

-- name: mark_promoted
-- The facts of these records are what they say now.
insert into promotions (record_id, facts)
select due.id, (select count(*) from facts f where f.record_id = due.id and f.path = 'promotion') from temp.due where true
on conflict (record_id) do update set facts = excluded.facts;
