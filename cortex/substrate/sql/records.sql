-- name: known_records
-- What the brain holds of these refs.
select ref, content_hash, origin, gone_at is not null as gone
from records
where source_id = :source_id and ref in (select value from json_each(:refs));

-- name: put_record
-- A record as its origin states it now; passages, links and facts follow it.
-- Who closed an issue is told once: what is told of it later, and of the same closing, takes nothing back.
-- A text that changed after somebody took it up is noted; `vouching.vouch_records` says who stands behind what.
insert into records (
    source_id, type, ref, title, body, url, path, line_start, line_end, author, association, state, labels, assignees,
    merged_by, closed_by, thread, created_at, updated_at, closed_at, merged_at, authority, origin, content_hash, blocks, vouched
) values (
    :source_id, :type, :ref, :title, :body, :url, :path, :line_start, :line_end, :author, :association, :state,
    :labels, :assignees, :merged_by, :closed_by, :thread, :created_at, :updated_at, :closed_at, :merged_at,
    :authority, :origin, :content_hash, :blocks,
    iif(:origin <> 'agents' and (
        :type not in ('comment', 'issue', 'pull') or upper(:association) in ('', 'OWNER', 'MEMBER', 'COLLABORATOR')
    ), null, 0)
)
on conflict (source_id, ref) do update set
    type = excluded.type, title = excluded.title, body = excluded.body, blocks = excluded.blocks, url = excluded.url, path = excluded.path,
    line_start = excluded.line_start, line_end = excluded.line_end, author = excluded.author,
    association = excluded.association, state = excluded.state, labels = excluded.labels,
    assignees = excluded.assignees, merged_by = excluded.merged_by,
    closed_by = iif(excluded.closed_by = '' and closed_at = excluded.closed_at, closed_by, excluded.closed_by),
    thread = excluded.thread, created_at = excluded.created_at, updated_at = excluded.updated_at,
    closed_at = excluded.closed_at, merged_at = excluded.merged_at, authority = excluded.authority,
    origin = excluded.origin, content_hash = excluded.content_hash, gone_at = null, vouched = excluded.vouched,
    edited_at = iif(
        origin = excluded.origin and body <> excluded.body and (closed_at = excluded.closed_at or merged_at = excluded.merged_at or assignees <> '[]'),
        coalesce(excluded.updated_at, '9999'), edited_at
    )
returning id;

-- name: put_passages
-- The passages that a batch of records was cut into.
insert into passages (source_id, record_id, start, end_, context, body, parts)
select source_id, record_id, start, end_, context, body, parts from temp.cut order by rowid;

-- name: note_moved
-- A file that went while another has most of its text was moved there, and so was each of its records.
with gone as materialized (
    select ref, type, path, body from records
    where source_id = :source_id and origin = :origin and gone_at = :now and type in ('doc', 'directive') and path <> ''
), standing as materialized (
    select ref, type, path, body from records
    where source_id = :source_id and origin = :origin and gone_at is null and type in ('doc', 'directive')
      and exists (select 1 from gone)
), alike as materialized (
    select g.type, g.path as old, s.path as new, sum(length(g.body)) as size
    from gone g
    join standing s on s.body = g.body and s.type = g.type and s.path <> g.path
    group by 1, 2, 3
), moved as materialized (
    select type, old, new from (
        select a.*, row_number() over (partition by type, old order by size desc, new) as place
        from alike a
        where 2 * size >= (select sum(length(body)) from gone g where g.type = a.type and g.path = a.old)
          and not exists (select 1 from standing s where s.type = a.type and s.path = a.old)
    )
    where place = 1
), counterparts as (
    select g.ref, coalesce(
        (select min(s.ref) from standing s where s.type = m.type and s.path = m.new and s.body = g.body),
        (select s.ref from standing s where s.ref = m.type || ':' || m.new || substr(g.ref, length(m.type || m.old) + 2))
    ) as now_at
    from moved m
    join gone g on g.type = m.type and g.path = m.old
)
insert or ignore into links (source_id, from_ref, relation, to_source, to_ref)
select :source_id, ref, 'moved_to', '', now_at from counterparts where now_at is not null;

-- name: records_now_gone
-- Records of an origin that its complete listing no longer has.
update records set gone_at = :now
where source_id = :source_id and origin = :origin and gone_at is null and id <= :newest
  and type not in (select value from json_each(:kept))
  and not exists (select 1 from temp.seen where seen.ref = records.ref);

-- name: count_unseen
-- How many records of an origin and a type its listing does not have.
select count(*) from records
where source_id = :source_id and origin = :origin and type = :type and gone_at is null
  and not exists (select 1 from temp.seen where seen.ref = records.ref);

-- name: records_by_ref
-- The record of a ref in each source that has one.
select
    s.name as source, r.id as record_id, r.source_id, r.type, r.ref, r.title, r.body, r.url, r.path as "path",
    r.line_start, r.line_end, r.author, r.state, r.labels, r.assignees, r.merged_by, r.created_at, r.updated_at,
    r.closed_at, r.merged_at, r.thread, r.authority, r.origin, exists (select 1 from unverified u where u.id = r.id) as unverified, r.gone_at,
    iif(r.origin in ('agents', 'remembered', 'outcomes'), r.association, '') as recorded_by
from records r
join sources s on s.id = r.source_id
where r.ref = :ref and r.source_id in (select value from json_each(:sources))
order by s.name;

-- name: commits_between
-- Refs between two, of commits that begin with the same digits.
select distinct r.ref
from json_each(:sources) source
cross join records r on r.source_id = source.value and r.ref between :first and :last
order by r.ref;

-- name: comments_of_thread
-- What was said under an issue or a pull request, in order.
select ref, author, created_at, body, vouched is not null as unverified
from records
where source_id = :source_id and thread = :ref and thread <> '' and gone_at is null
order by created_at, ref;

-- name: moved_to
-- Where a record that is gone stands now, however often it was moved.
with recursive trail (ref, depth) as (
    select :ref, 0
    union
    select l.to_ref, depth + 1
    from trail
    join records r on r.source_id = :source_id and r.ref = trail.ref and r.gone_at is not null
    join links l on l.source_id = :source_id and l.from_ref = trail.ref and l.relation = 'moved_to'
    where depth < 100
)
select trail.ref from trail
join records r on r.source_id = :source_id and r.ref = trail.ref and r.gone_at is null
where depth > 0
order by depth
limit 1;

-- name: renumbered
-- The fact that says in the same file what one said that was taken out: a rule or a line that moved up or down.
select f.handle, f.source_id
from facts_archive a
cross join records r on r.source_id = a.source_id
  and r.ref > substr(a.record_ref, 1, instr(a.record_ref, '#'))
  and r.ref < substr(a.record_ref, 1, instr(a.record_ref, '#') - 1) || '$'
cross join facts f on f.record_id = r.id
where a.handle = :handle and a.source_id in (select value from json_each(:sources)) and a.merged_into is null
  and a.record_ref glob '*#[0-9]*' and r.type in ('directive', 'ownership') and r.gone_at is null
  and f.excerpt = a.excerpt and f.kind = a.kind
order by f.statement = a.statement desc, a.id desc, r.line_start
limit 1;

-- name: titles
-- What the records of a type are called, by id.
select r.id, r.ref, r.title from json_each(:sources) s cross join records r on r.source_id = s.value and r.type = :type
where r.gone_at is null order by r.id;

-- name: titles_of_threads
-- What comments need to know of the issues and pull requests they stand under; of two of one number
-- the last is the one that not only commits tell of.
select type, cast(substr(ref, instr(ref, ':') + 1) as integer) as number, title
from records
where source_id = (select id from sources where name = :source) and type in ('issue', 'pull') and gone_at is null
order by origin <> 'git';

-- name: threads
-- The records that these refs of these sources name.
select r.id, r.source_id, r.ref
from json_each(:threads) asked
cross join records r on r.source_id = asked.value ->> 'source' and r.ref = asked.value ->> 'ref'
where r.gone_at is null;

-- name: cited_records
-- What a citation tells of its record; with :as_of, of what took it back only what was there by then.
-- It is shared where another of the sources has one that is called the same, or its thread; ambiguous also where that has an
-- issue of the number that a pull request has here, for both are written '#9'.
-- Nothing is taken back or replaced by a pull request that was not merged, nor by a revert that was itself taken back.
select
    id, source_id, type, ref, title, url, path, line_start, line_end, author, state, labels, assignees, merged_by, closed_by,
    created_at, updated_at, closed_at, merged_at, authority, body, blocks, vouched is not null as unverified,
    coalesce((
        select max(l.from_ref) from links l
        cross join records by_ on by_.source_id = l.source_id and by_.ref = l.from_ref
        where l.source_id = records.source_id and l.to_source = '' and l.to_ref = records.ref and l.relation = 'reverts'
            and by_.gone_at is null and (by_.type = 'commit' or by_.merged_at is not null)
            and (:as_of = '' or coalesce(by_.merged_at, by_.created_at) <= :as_of)
            and not exists (
                select 1 from links b
                cross join records w on w.source_id = b.source_id and w.ref = b.from_ref
                where b.source_id = l.source_id and b.to_source = '' and b.to_ref = l.to_ref and b.relation = 'reapplies'
                    and w.gone_at is null and (w.type = 'commit' or w.merged_at is not null)
                    and iif(
                        coalesce(w.merged_at, w.created_at) >= coalesce(by_.merged_at, by_.created_at),
                        not exists (
                            select 1 from links n where n.source_id = l.source_id and n.from_ref = by_.ref
                                and n.relation = 'follows' and n.to_source = '' and n.to_ref = w.ref
                        ),
                        exists (
                            select 1 from links n where n.source_id = l.source_id and n.from_ref = w.ref
                                and n.relation = 'follows' and n.to_source = '' and n.to_ref = by_.ref
                        )
                    )
                    and (:as_of = '' or coalesce(w.merged_at, w.created_at) <= :as_of)
            )
    ), '') as reverted_by,
    iif(records.type <> 'pull', '', coalesce((
        select max(l.from_ref) from links l
        cross join records by_ on by_.source_id = l.source_id and by_.ref = l.from_ref
        where l.source_id = records.source_id and l.to_source = '' and l.to_ref = records.ref and l.relation = 'reverts_part'
            and by_.gone_at is null and by_.type = 'pull' and by_.merged_at is not null
            and (:as_of = '' or by_.merged_at <= :as_of)
    ), '')) as reverted_in_part_by,
    iif(records.type <> 'commit', '', coalesce((
        select l.to_ref from links l
        where l.source_id = records.source_id and l.to_source = '' and l.from_ref = records.ref and l.relation = 'merges'
    ), '')) as merges,
    coalesce((
        select min(l.to_ref) from links l
        where l.source_id = records.source_id and l.to_source = '' and l.from_ref in (records.ref, 'doc:' || records.path)
            and l.relation = 'supersedes' and records.type <> 'comment'
            and (records.type <> 'pull' or records.merged_at is not null)
    ), '') as replaces,
    coalesce((
        select max(l.from_ref) from links l
        cross join records by_ on by_.source_id = l.source_id and by_.ref = l.from_ref
        where l.source_id = records.source_id and l.to_source = '' and l.to_ref in (records.ref, 'doc:' || records.path)
            and l.relation = 'supersedes' and by_.gone_at is null and (by_.type <> 'pull' or by_.merged_at is not null)
            and by_.type <> 'comment' and (by_.type <> 'issue' or records.type = 'issue')
            and (:as_of = '' or coalesce(by_.merged_at, by_.created_at, (
                select min(t.created_at) from links k
                cross join records t on t.source_id = k.source_id and t.ref = k.from_ref
                where k.source_id = by_.source_id and k.to_source = '' and k.to_ref = 'file:' || by_.path and k.relation = 'touches'
            ), '') <= :as_of)
    ), '') as superseded_by,
    iif(type in ('doc', 'directive') and state = 'accepted', coalesce((
        select max(l.from_ref) from links l
        cross join records by_ on by_.source_id = l.source_id and by_.ref = l.from_ref
        where l.source_id = records.source_id and l.to_source = '' and l.to_ref = 'doc:' || records.path and l.relation = 'amends'
            and by_.gone_at is null and (:as_of = '' or coalesce(by_.created_at, '') <= :as_of)
    ), ''), '') as amended_by,
    json_array_length(:sources) > 1 and exists (
        select 1 from json_each(:sources) beside
        cross join records other on other.source_id = beside.value and other.ref in (records.ref, records.thread)
        where beside.value <> records.source_id and other.gone_at is null
    ) as shared,
    json_array_length(:sources) > 1 and exists (
        select 1 from json_each(:sources) beside
        cross join records other on other.source_id = beside.value and other.ref in (
            records.ref, records.thread, 'pull:' || substr(iif(records.type = 'comment', records.thread, records.ref), 1 + instr(
                iif(records.type = 'comment', records.thread, records.ref), ':'
            )), 'issue:' || substr(iif(records.type = 'comment', records.thread, records.ref), 1 + instr(
                iif(records.type = 'comment', records.thread, records.ref), ':'
            ))
        )
        where beside.value <> records.source_id and other.gone_at is null
    ) as ambiguous
from records
where id in (select value from json_each(:ids));

-- name: named_records
-- The records of the sources between two refs, each with the fact that says where it stands.
select r.id, (
    select f.id from facts f where f.record_id = r.id and f.path = 'promotion' and f.kind <> 'cross_repo'
    order by iif(f.valid_until is null, 0, exists (select 1 from facts n where n.record_id = f.record_id and n.valid_from >= f.valid_until
            and n.id <> f.id and (n.start, n.end_) = (f.start, f.end_))), f.id limit 1
)
from json_each(:refs) named
cross join json_each(:sources) source
cross join records r on r.source_id = source.value and r.ref between named.value ->> 0 and named.value ->> 1
where r.gone_at is null;

-- name: listed_records
-- The records of these types with these states, people, labels, paths, words and days, in order, with how
-- many there are. An empty list asks for nothing; a day is of what :dated names. Labels and assignees are as of today.
with touching as materialized (
    select l.source_id, l.from_ref as ref
    from json_each(:sources) s
    cross join json_each(:paths) p
    cross join links l on l.source_id = s.value and l.to_source = '' and l.relation = 'touches'
        and (l.to_ref = 'file:' || p.value or l.to_ref between 'file:' || p.value || '/' and 'file:' || p.value || '0')
), merging as materialized (
    select source_id, ref from touching
    union
    select t.source_id, l.to_ref from touching t
    cross join links l on l.source_id = t.source_id and l.from_ref = t.ref and l.relation = 'merges' and l.to_source = ''
    union
    select t.source_id, l.from_ref from touching t
    cross join links l on l.source_id = t.source_id and l.to_ref = t.ref and l.relation = 'merges' and l.to_source = ''
), holding as materialized (
    select distinct p.record_id as id from records_fts f cross join passages p on p.id = f.rowid
    where :words <> '' and records_fts match iif(:words = '', '""', :words)
), reviewed as materialized (
    select distinct v.source_id, v.thread as ref
    from json_each(:sources) s
    cross join links l on l.source_id = s.value and l.from_ref between 'comment:' and 'comment;' and l.relation = 'reviews'
        and l.to_source = ''
    cross join records v on v.source_id = l.source_id and v.ref = l.from_ref and v.gone_at is null
    where :verdicts <> '[]' and v.state in (select value from json_each(:verdicts))
        and (:reviewers = '[]' or v.author in (select value from json_each(:reviewers)))
        and (:as_of = '' or v.created_at <= :as_of)
), stood as (
    select
        r.id, r.source_id, r.ref, r.type, r.title, r.author, r.merged_by, r.closed_by, r.labels, r.assignees,
        iif(:as_of <> '' and max(coalesce(r.merged_at, ''), coalesce(r.closed_at, '')) > :as_of, 'open', r.state) as state,
        case :dated
            when 'created' then coalesce(r.created_at, r.merged_at)
            when 'merged' then r.merged_at
            when 'closed' then coalesce(r.closed_at, r.merged_at)
            when 'landed' then coalesce(r.merged_at, r.updated_at, r.created_at)
            else coalesce(r.merged_at, r.closed_at, r.created_at)
        end as day
    from json_each(:sources) s
    cross join json_each(:types) t
    cross join records r on r.source_id = s.value and r.type = t.value
    where r.gone_at is null and (:as_of = '' or coalesce(r.created_at, r.merged_at, r.closed_at) <= :as_of)
)
select r.id, r.author, r.merged_by, r.closed_by, count(*) over () as total
from stood r
where (:states = '[]' or exists (
        select 1 from json_each(:states) s where r.state = s.value or r.state glob s.value || ' *'
    ))
    and (:authors = '[]' or r.author in (select value from json_each(:authors)) or lower(r.author) in (select value from json_each(:authors)))
    and (:mergers = '[]' or r.state = 'merged' and r.merged_by in (select value from json_each(:mergers)))
    and (:closers = '[]' or r.state <> 'open' and r.closed_by in (select value from json_each(:closers)))
    and (:assignees = '[]' or exists (
        select 1 from json_each(r.assignees) a where a.value in (select value from json_each(:assignees))
    ) or :assignees = '[""]' and not exists (select 1 from json_each(r.assignees)))
    and (:labels = '[]' or exists (
        select 1 from json_each(r.labels) l where l.value in (select value from json_each(:labels))
    ))
    and (:and_labels = '[]' or exists (
        select 1 from json_each(r.labels) l where l.value in (select value from json_each(:and_labels))
    ))
    and not exists (select 1 from json_each(r.labels) l where l.value in (select value from json_each(:not_labels)))
    and (r.type <> 'doc' or :words <> '' or instr(r.ref, '#') = 0)
    and (:paths = '[]' or (r.source_id, r.ref) in (select source_id, ref from merging))
    and (:words = '' or r.id in (select id from holding))
    and (:verdicts = '[]' or (r.source_id, r.ref) in (select source_id, ref from reviewed))
    and (:dated = 'reverted' or (:since = '' or r.day >= :since) and (:until = '' or r.day < :until))
    and (not :reverted or exists (
        select 1 from links l
        cross join records v on v.source_id = l.source_id and v.ref = l.from_ref
        where l.source_id = r.source_id and l.to_ref = r.ref and l.to_source = '' and l.relation = 'reverts'
            and v.gone_at is null and (v.type = 'commit' or v.merged_at is not null)
            and (:dated <> 'reverted' or :since = '' or coalesce(v.merged_at, v.created_at) >= :since)
            and (:dated <> 'reverted' or :until = '' or coalesce(v.merged_at, v.created_at) < :until)
            and (:as_of = '' or coalesce(v.merged_at, v.created_at) <= :as_of)
            and not exists (
                select 1 from links b
                cross join records w on w.source_id = b.source_id and w.ref = b.from_ref
                where b.source_id = r.source_id and b.to_ref = r.ref and b.to_source = '' and b.relation = 'reapplies'
                    and w.gone_at is null and (w.type = 'commit' or w.merged_at is not null)
                    and coalesce(w.merged_at, w.created_at) >= coalesce(v.merged_at, v.created_at)
                    and (:as_of = '' or coalesce(w.merged_at, w.created_at) <= :as_of)
            )
    ))
    and (:dated <> 'landed' or r.state = 'merged' or r.type = 'commit' and r.title not like 'merge %' and not exists (
        select 1 from links l where l.source_id = r.source_id and l.from_ref = r.ref and l.relation = 'merges' and l.to_source = ''
        union all
        select 1 from links c
        cross join links m on m.source_id = c.source_id and m.from_ref = c.to_ref and m.relation = 'merges' and m.to_source = ''
        where c.source_id = r.source_id and c.from_ref = r.ref and c.relation = 'came_with' and c.to_source = ''
    ))
    and (not :reverted or r.type <> 'commit' or not exists (
        select 1 from links l where l.source_id = r.source_id and l.from_ref = r.ref and l.relation = 'merges' and l.to_source = ''
        union all
        select 1 from links c
        cross join links m on m.source_id = c.source_id and m.from_ref = c.to_ref and m.relation = 'merges' and m.to_source = ''
        cross join links v on v.source_id = m.source_id and v.to_ref = m.to_ref and v.relation = 'reverts' and v.to_source = ''
        where c.source_id = r.source_id and c.from_ref = r.ref and c.relation = 'came_with' and c.to_source = ''
    ))
order by iif(:oldest, r.day, null), r.day desc, iif(:oldest, -r.id, r.id) desc
limit :limit;

-- name: project_records
-- What these sources state of the properties :named, in the order of their files and lines.
select r.id, r.source_id, json_extract(r.labels, '$[0]') as property, coalesce(json_extract(r.labels, '$[1]'), '') as of, r.title, r.path, r.line_start
from json_each(:sources) s
cross join records r on r.source_id = s.value and r.type = 'project' and r.gone_at is null
where json_extract(r.labels, '$[0]') in (select value from json_each(:named))
order by r.source_id, r.path, r.line_start, r.id;

-- name: outcomes_of_source
-- What became of what, with the pull request it came with: one that its text does not name, first.
select
    r.source_id, r.ref, r.title, r.state, r.body, r.author, r.created_at, r.updated_at,
    (
        select cast(substr(l.to_ref, 6) as integer)
        from links l
        cross join records o on o.source_id = l.source_id and o.ref = l.from_ref
        where l.source_id = r.source_id and l.from_ref = r.ref and l.relation = 'mentions' and l.to_source = ''
          and l.to_ref glob 'pull:[0-9]*'
        order by instr(o.body, '#' || substr(l.to_ref, 6)) > 0, l.to_ref
        limit 1
    ) as pull,
    r.association as recorded_by
from records r
where r.source_id = :source_id and r.type = 'outcome' and r.gone_at is null;

-- name: forget_promotions
-- A record that says something else is promoted again, and so is what it took back or merged.
delete from promotions
where record_id in (
    select r.id from records r where r.source_id = :source_id and r.ref = :ref
    union
    select r.id from links l cross join records r on r.source_id = l.source_id and r.ref = l.to_ref
    where l.source_id = :source_id and l.from_ref = :ref and l.to_source = '' and l.relation in ('reverts', 'reapplies', 'supersedes', 'merges')
);

-- name: verdicts_on
-- Each reviewer's last verdict on a thread, else their last review, with their name, the latest first.
-- Who answers under their own pull request reviews nothing.
select id, author, state, created_at from (
    select
        r.id, r.author, r.state, r.created_at,
        row_number() over (
            partition by r.author order by r.state in ('commented', 'dismissed'), r.created_at desc, r.id desc
        ) as place
    from records r
    left join records p on p.source_id = r.source_id and p.ref = r.thread
    where r.source_id = :source_id and r.thread = :ref and r.thread <> '' and r.gone_at is null
        and (:as_of = '' or r.created_at <= :as_of) and r.author is not p.author
        and r.state in ('approved', 'changes_requested', 'commented', 'dismissed') and (:verdict = '' or r.state = :verdict)
)
where place = 1
order by created_at desc;

-- name: named_decisions
-- The rules and parts of the decision records whose files begin with these numbers, the rules first.
with decided as (
    select source_id, path from records
    where source_id in (select value from json_each(:sources)) and type = 'doc' and state <> ''
        and gone_at is null and instr(ref, '#') = 0
        and cast(ltrim(replace(lower(substr(path, length(rtrim(path, replace(path, '/', ''))) + 1)), 'adr', ''), '-_')
            as integer) in (select value from json_each(:numbers))
)
select r.id, (
    select f.id from facts f where f.record_id = r.id and f.path = 'promotion' and f.kind <> 'cross_repo' order by f.id limit 1
)
from decided d
join records r on r.source_id = d.source_id and r.path = d.path and r.gone_at is null
order by r.type <> 'directive', r.id;

-- name: named_later
-- What the records called :ids tell of that was not there yet at :as_of: id, ref and title of the record, the
-- ref of what it names, and whether that was made later; else it was only merged or closed later, or not yet. An empty ref
-- stands for what has replaced the record since. A commit's message stays as it was.
select r.id, r.ref, r.title, l.to_ref, t.created_at > :as_of
from json_each(:ids) asked
cross join records r on r.id = asked.value and r.type <> 'commit'
cross join links l on l.source_id = r.source_id and l.from_ref = r.ref and l.to_source = ''
cross join records t on t.source_id = l.source_id and t.ref = l.to_ref and t.type in ('issue', 'pull')
where coalesce(t.merged_at, t.closed_at, :as_of || '~') > :as_of
union
select r.id, r.ref, r.title, '', 1
from json_each(:ids) asked
cross join records r on r.id = asked.value and r.type in ('doc', 'directive')
cross join links l on l.source_id = r.source_id and l.to_ref in (r.ref, 'doc:' || r.path) and l.relation = 'supersedes'
    and l.to_source = ''
cross join records by_ on by_.source_id = l.source_id and by_.ref = l.from_ref
where coalesce(by_.merged_at, by_.created_at, (
    select min(t.created_at) from links k
    cross join records t on t.source_id = k.source_id and t.ref = k.from_ref
    where k.source_id = by_.source_id and k.to_source = '' and k.to_ref = 'file:' || by_.path and k.relation = 'touches'
)) > :as_of;

-- name: decision_records
-- The files of decisions, with their status and what replaced them, the latest first; one that does not
-- tell its day is of the day it was committed.
with dated as materialized (
    select r.id, r.source_id, r.ref, coalesce(r.created_at, (
        select min(t.created_at) from links l
        cross join records t on t.source_id = l.source_id and t.ref = l.from_ref
        where l.source_id = r.source_id and l.to_source = '' and l.to_ref = 'file:' || r.path and l.relation = 'touches'
    )) as day
    from records r
    where r.source_id in (select value from json_each(:sources)) and r.type = 'doc' and r.state <> ''
      and r.gone_at is null and instr(r.ref, '#') = 0
)
select
    0 as id, r.id as record_id, r.source_id, r.ref as handle, 'decision' as kind, r.title as statement,
    substr(r.body, 1, 400) as excerpt, r.authority, 1.0 as confidence,
    s.name as source, r.ref, r.type, r.title, r.url, r.path, r.state, r.author, d.day as valid_from,
    null as valid_until, d.day as created_at, null as merged_at, null as closed_at,
    exists (select 1 from unverified u where u.id = r.id) as unverified,
    (
        select json_array(x.ref, coalesce(x.merged_at, x.created_at, o.day), l.relation)
        from links l
        cross join records x on x.source_id = l.source_id and x.ref = l.from_ref
        left join dated o on o.id = x.id
        where l.source_id = r.source_id and l.to_source = '' and l.relation = 'supersedes' and l.to_ref = r.ref
        order by coalesce(x.created_at, o.day)
        limit 1
    ) as replaced
from dated d
cross join records r on r.id = d.id
cross join sources s on s.id = r.source_id
where :records is null or r.id in (select value from json_each(:records))
order by d.day desc, r.ref desc
limit :limit;

-- name: held_of_github
-- Ref and address of what GitHub's lists of a repository should still have.
select ref, url from records
where source_id = (select id from sources where name = :source) and origin = 'github'
  and type in ('issue', 'pull', 'comment') and gone_at is null;

-- name: unwritten
-- The notes and outcomes that somebody recorded in a source; without a file until `is_migrated` finds it.
select
    r.type, r.ref, r.title, r.body, r.author, r.association, r.path, iif(r.origin = 'agents', r.origin, 'remembered'),
    r.created_at, r.updated_at, r.state, (
        select cast(substr(l.to_ref, 6) as integer) from links l
        cross join records o on o.source_id = l.source_id and o.ref = l.from_ref
        where l.source_id = r.source_id and l.from_ref = r.ref and l.relation = 'mentions' and l.to_source = ''
          and l.to_ref glob 'pull:[0-9]*'
        order by instr(o.body, '#' || substr(l.to_ref, 6)) > 0, l.to_ref
        limit 1
    )
from sources s
cross join records r on r.source_id = s.id
where s.name = :source and r.gone_at is null and r.type in ('directive', 'event', 'outcome')
  and (r.origin in ('remembered', 'agents') or r.origin = 'outcomes' and r.association <> '')
order by r.id;

-- name: is_migrated
-- Whether all notes and outcomes of a source have files.
select 1 from cursors c cross join sources s on s.id = c.source_id where s.name = :source and c.connector = 'remembered';

-- name: mark_migrated
-- Note that all notes and outcomes of a source have files.
insert or ignore into cursors (source_id, connector, value) select id, 'remembered', 'read' from sources where name = :source;

-- name: all_refs
-- Source and ref of every record.
select s.name, r.ref from records r join sources s on s.id = r.source_id where r.gone_at is null;

-- name: count_of_origin
-- How many records of an origin a source has, by type.
select type, count(*) from records
where source_id = :source_id and origin = :origin and gone_at is null
group by type;

-- name: holds
-- Whether a source has a record of one of some origins, or of any where none is named; gone ones count where :gone.
select 1 from sources s cross join records r on r.source_id = s.id
where s.name = :source and (:origins = '[]' or r.origin in (select value from json_each(:origins)))
  and (:gone or r.gone_at is null)
limit 1;

-- name: sources_holding
-- The sources that have, or had, a record of a ref.
select s.name from sources s cross join records r on r.source_id = s.id and r.ref = :ref;

-- name: origin_of
-- Where a record of a source comes from.
select r.origin from records r join sources s on s.id = r.source_id
where s.name = :source and r.ref = :ref and r.gone_at is null;

-- name: noted_facts
-- The fact of each directive and event of a source, by ref.
select r.ref, f.id from records r left join facts f on f.record_id = r.id
where r.source_id = :source_id and r.type in ('directive', 'event') and r.gone_at is null;
