-- undoable.sql: what tells whether a run can be undone; since when, and by whom, it runs, where it has not told its end.
select
    command, source_id, report ->> '$.undone_by' as undone_by, report ->> '$.forgotten' as forgotten,
    iif(status = 'running' or report ->> '$.by' is not null, started_at, null) as since,
    coalesce(report ->> '$.by', '') as by
from runs where id = :run_id
