-- vouch_links.sql: what a record claims to have done to others, where nobody of the project stands behind the place that says
-- so, is only what it says; and once somebody does, it is so. A pull request that is not merged claims nothing yet.
update or replace links set relation = iif(relation glob 'says_*', substr(relation, 6), 'says_' || relation)
where source_id = :source_id and to_source = '' and not derived
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
returning from_ref, to_ref
