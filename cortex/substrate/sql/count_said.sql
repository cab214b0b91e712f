-- count_said.sql: of each fact at hand, how many others say the same that merged into it, directly or by way of one that does.
update temp.recounting set said = (
    with recursive same (handle) as (
        select recounting.handle
        union
        select a.handle
        from same
        cross join facts_archive a on a.merged_into = same.handle
        cross join records r on r.source_id = a.source_id and r.ref = a.record_ref
        where a.job = 'exact_duplicates' and r.content_hash = a.record_hash and r.gone_at is null
          and not exists (select 1 from facts f where f.handle = a.handle)
          and not exists (select 1 from facts_archive l where l.handle = a.handle and l.id > a.id)
    )
    select count(*) - 1 from same
)
