-- end_facts.sql: what a document's facts said of a decision stopped being true with the decision that replaced it.
update facts set valid_until = ended.at
from (
    select f.id, (
        select min(x.created_at) from links l
        cross join records x on x.source_id = l.source_id and x.ref = l.from_ref
        where l.source_id = r.source_id and l.to_ref = 'doc:' || r.path and l.relation = 'supersedes' and l.to_source = ''
            and x.type = 'doc' and x.gone_at is null
    ) as at
    from records r
    cross join facts f on f.record_id = r.id
    where r.source_id = :source_id and r.type = 'doc' and r.state <> '' and f.path = 'docs'
) ended
where facts.id = ended.id and facts.valid_until is not ended.at
