-- end_run.sql: keep what a run did; that another took it back, or the archive forgot a part of it, stays noted.
update runs set
    status = :status, finished_at = :now,
    report = json_patch(
        :report, json_object('undone_by', report -> '$.undone_by', 'forgotten', report -> '$.forgotten')
    )
where id = :id
