-- facts_to_ask.sql: facts of these kinds that stand, those that weigh most and are latest first, one a record.
select records.type, records.ref, records.title, facts.statement, facts.excerpt, records.body
from facts
join records on records.id = facts.record_id
where
    facts.kind in (select value from json_each(:kinds))
    and facts.source_id in (select value from json_each(:sources))
    and facts.valid_until is null
    and records.gone_at is null
    and records.type not in ('comment', 'commit')
    and records.state not in ('closed', 'superseded', 'rejected')
group by facts.record_id
order by max(facts.authority * facts.confidence) desc, records.updated_at desc, records.ref
limit :limit;
