-- release_archived.sql: what an undone run took out and no record says by now was replaced by what these say.
update facts_archive set
    job = 'replaced', reason = 'its record changed', run_id = null, fact_id = null, record_hash = null, merged_into = null
where run_id = :run_id and fact_id is not null
