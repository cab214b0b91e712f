-- browse_facts.sql: facts by what they are, the latest first: those that stand, or that were taken out or whose record is gone.
with found as (
    select
        f.id, f.handle, f.kind, f.statement, f.authority, f.confidence, s.name as source, r.ref, r.title, r.url,
        coalesce(f.end_ > r.vouched or r.vouched = 0, 0) as unverified,
        f.valid_from as since, f.touched_at, r.gone_at as archived_at,
        iif(r.gone_at is null, '', 'its record is gone') as reason,
        coalesce(
            (
                select l.to_ref from links l
                where r.gone_at is not null
                  and l.source_id = r.source_id and l.from_ref = r.ref and l.relation = 'moved_to'
            ),
            ''
        ) as instead,
        coalesce(r.gone_at, f.touched_at, f.valid_from, r.created_at, '') as latest
    from facts f
    join records r on r.id = f.record_id
    join sources s on s.id = f.source_id
    where (r.gone_at is not null) = :archived
      and f.source_id in (select value from json_each(:sources))
      and (:kinds is null or f.kind in (select value from json_each(:kinds)))
      and f.authority >= :authority
      and (:words = '' or instr(lower(f.statement), lower(:words)) or r.ref = :words or f.handle = :words)
    union all
    select
        a.id, a.handle, a.kind, a.statement, a.authority, a.confidence, s.name, a.record_ref, '', '',
        exists (
            select 1 from records r
            where r.source_id = a.source_id and r.ref = a.record_ref and (a.end_ > r.vouched or r.vouched = 0)
        ),
        a.valid_from, a.touched_at, a.archived_at, a.job || ': ' || a.reason,
        coalesce(
            a.merged_into,
            (
                select l.to_ref from links l
                where l.source_id = a.source_id and l.from_ref = a.record_ref and l.relation = 'moved_to'
            ),
            ''
        ),
        a.archived_at
    from facts_archive a
    join sources s on s.id = a.source_id
    where :archived
      and a.source_id in (select value from json_each(:sources))
      and (:kinds is null or a.kind in (select value from json_each(:kinds)))
      and a.authority >= :authority
      and (:words = '' or instr(lower(a.statement), lower(:words)) or a.record_ref = :words or a.handle = :words)
)
select *, count(*) over () as total from found
where (:since is null or (latest <> '' and latest >= :since)) and (:until is null or (latest <> '' and latest <= :until))
order by latest desc, handle
limit :limit offset :offset
