-- standing_pulls.sql: the pull requests as they were merged, but for those that were taken back: ref, title,
-- and the body where the title holds a number.
select r.ref, r.title, iif(r.title glob '*[0-9]*', r.body, '') from records r
where r.source_id = :source_id and r.type = 'pull' and r.merged_at is not null and r.gone_at is null
    and not exists (
        select 1 from links l
        cross join records v on v.source_id = l.source_id and v.ref = l.from_ref
        where l.source_id = r.source_id and l.to_ref = r.ref and l.to_source = '' and l.relation = 'reverts'
            and v.gone_at is null and (v.type = 'commit' or v.merged_at is not null)
    )
order by r.merged_at, r.ref
