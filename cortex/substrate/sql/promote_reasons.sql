-- promote_reasons.sql: why a change was made, where its text gives the reason: a decision, beside the fact of what it did.
insert into temp.candidates (record_id, kind, statement, start, end_, confidence, valid_from, valid_until)
select
    r.id, span.value ->> 2, c.statement || iif(substr(c.statement, -1) in ('.', '!', '?'), ' ', '. ')
    || plain(substr(r.body, (span.value ->> 0) + 1, (span.value ->> 1) - (span.value ->> 0))),
    span.value ->> 0, span.value ->> 1, 0.8, c.valid_from, c.valid_until
from temp.candidates c
cross join records r on r.id = c.record_id
cross join json_each(reasons(r.title, r.body)) span
where c.start = 0 and c.kind in ('change', 'decision', 'incident') and substr(c.statement, -length(trim(r.title))) = trim(r.title)
  and (r.type = 'commit' or r.type = 'pull' and (r.merged_at is not null or r.state = 'merged'))
