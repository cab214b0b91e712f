-- fade.sql: give the facts at hand their confidence.
update facts set confidence = n.confidence from temp.fading n where n.fact_id = facts.id
