-- corroborate.sql: a survivor is surer by so much for each fact that said the same.
update facts set
    confidence = round(min(1.0, facts.confidence + :worth * (n.confidence - facts.corroboration)), 6),
    corroboration = n.confidence
from temp.fading n
where n.fact_id = facts.id and n.confidence <> facts.corroboration
