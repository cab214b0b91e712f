-- promote_outcomes.sql: what became of a piece of work.
insert into temp.candidates (record_id, kind, statement, start, end_, confidence, valid_from, valid_until)
select
    r.id,
    iif(r.state in ('flagged', 'reverted'), 'incident', 'decision'),
    'Outcome ' || substr(r.ref, 9) || ' was ' || r.state
    || coalesce((
        select ' (' || iif(l.to_ref glob 'pull:*', 'PR #' || substr(l.to_ref, 6), 'PR ' || l.to_ref) || ')'
        from links l where l.source_id = r.source_id and l.from_ref = r.ref and l.relation = 'mentions'
          and l.to_ref glob 'pull:*' order by l.to_ref limit 1
    ), '')
    || coalesce(' on ' || substr(coalesce(r.updated_at, r.created_at), 1, 10), '')
    || iif(r.author <> '', ', noted by ' || r.author, '') || ': ' || plain(r.body),
    0, length(r.body), 0.95, r.created_at, null
from temp.due cross join records r on r.id = due.id
where r.type = 'outcome'
