-- cited_records.sql: what a citation tells of its record; with :as_of, of what took it back only what was there by then.
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
where id in (select value from json_each(:ids))
