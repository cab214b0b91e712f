-- written_apart.sql: facts that say the same word for word, though not all of them letter for letter.
select f.id, f.statement from facts f
where f.source_id = :source_id and f.fingerprint in (
    select fingerprint from facts where source_id = :source_id
    group by fingerprint having count(*) > 1 and min(statement) <> max(statement)
)
