-- find_exact_duplicates.sql: of facts that say the same word for word and stand alike, all but the weightiest, then earliest.
insert into temp.leaving (fact_id, reason, merged_into)
with repeated as materialized (
    select fingerprint from facts where source_id = :source_id group by fingerprint having count(*) > 1
), ranked as (
    select
        f.id,
        first_value(f.handle) over same as survivor,
        row_number() over same as place
    from repeated
    cross join facts f on f.source_id = :source_id and f.fingerprint = repeated.fingerprint
    cross join records r on r.id = f.record_id
    left join temp.written w on w.fact_id = f.id
    where r.gone_at is null
    window same as (
        partition by f.fingerprint, w.cased, f.valid_until is null
        order by f.authority desc, coalesce(f.valid_from, f.touched_at, '9999'), f.handle
    )
)
select id, 'says word for word what ' || survivor || ' says', survivor from ranked where place > 1
