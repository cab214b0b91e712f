-- corroborate.sql: a fact is surer by so much for each other that says the same, up to 1; what it lost beyond that is not known.
update facts set
    confidence = round(min(1.0, iif(
        facts.confidence < 1.0, facts.confidence - :worth * facts.corroboration, facts.base_confidence
    ) + :worth * n.confidence), 6),
    corroboration = n.confidence
from temp.fading n
where n.fact_id = facts.id
