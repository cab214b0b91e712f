-- known_records.sql: what the brain holds of these refs.
select ref, content_hash, origin, gone_at is not null as gone
from records
where source_id = :source_id and ref in (select value from json_each(:refs))
