-- end_facts.sql: what a document's facts said of a decision stopped being true with the decision that replaced it.
update facts set valid_until = ended.at
from (
    select f.id, (
        select min(l.since) from records d
        cross join lineage l on l.record_id = d.id
        where d.source_id = r.source_id and d.ref = 'doc:' || r.path
            and l.state = 'superseded' and l.until = '' and l.since <> '' and l.by_record_id <> d.id
    ) as at
    from records r
    cross join facts f on f.record_id = r.id
    where r.source_id = :source_id and r.type = 'doc' and r.state <> '' and f.path = 'docs'
) ended
where facts.id = ended.id and facts.valid_until is not ended.at
