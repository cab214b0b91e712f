-- uncount_facts.sql: what stands counts no longer what was taken back.
update facts set
    confidence = round(min(1.0, iif(
        facts.confidence < 1.0, facts.confidence - :worth * facts.corroboration, facts.base_confidence
    ) + :worth * max(0, facts.corroboration - n.before + n.said)), 6),
    corroboration = max(0, facts.corroboration - n.before + n.said)
from temp.recounting n
where facts.handle = n.handle and n.said <> n.before
