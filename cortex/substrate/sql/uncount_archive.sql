-- uncount_archive.sql: what lies in the archive counts no longer what was taken back.
update facts_archive set
    confidence = round(min(1.0, iif(
        facts_archive.confidence < 1.0, facts_archive.confidence - :worth * facts_archive.corroboration, facts_archive.base_confidence
    ) + :worth * max(0, facts_archive.corroboration - n.before + n.said)), 6),
    corroboration = max(0, facts_archive.corroboration - n.before + n.said)
from temp.recounting n
where facts_archive.handle = n.handle and facts_archive.run_id > n.since and n.said <> n.before
