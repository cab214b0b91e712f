-- judge_capture.sql: whether the answer to a captured question was of use.
update captures set useful = :useful, useful_at = :judged_at, note = :note
where asked_at = :asked_at and question = :question;
