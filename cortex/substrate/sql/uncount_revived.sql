-- uncount_revived.sql: what was in the archive once counts no longer what was taken back.
update facts_revived set
    confidence = round(min(1.0, iif(
        facts_revived.confidence < 1.0, facts_revived.confidence - :worth * facts_revived.corroboration, facts_revived.base_confidence
    ) + :worth * max(0, facts_revived.corroboration - n.before + n.said)), 6),
    corroboration = max(0, facts_revived.corroboration - n.before + n.said)
from temp.recounting n
where facts_revived.handle = n.handle and facts_revived.run_id > n.since and n.said <> n.before
