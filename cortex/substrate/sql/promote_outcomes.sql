-- promote_outcomes.sql: what became of a piece of work.
insert into temp.candidates (record_id, kind, statement, start, end_, confidence, valid_from, valid_until)
select
    r.id,
    case r.state when 'shipped' then 'change' when 'rejected' then 'decision' else 'incident' end,
    'Outcome ' || substr(r.ref, 9) || ': "' || trim(r.title) || '" was ' || r.state
    || coalesce(' on ' || substr(coalesce(r.updated_at, r.created_at), 1, 10), '')
    || coalesce((
        select ' (PR #' || group_concat(substr(l.to_ref, 6), ', PR #') || ')'
        from links l where l.source_id = r.source_id and l.from_ref = r.ref and l.relation = 'mentions'
          and l.to_source = '' and l.to_ref glob 'pull:*'
    ), '')
    || iif(r.author <> '', ', noted by ' || r.author, '')
    || iif(length(r.body) > title_end(r.title, r.body), ': ' || plain(substr(r.body, title_end(r.title, r.body) + 1)), ''),
    0, length(r.body), 0.95, coalesce(r.updated_at, r.created_at), null
from temp.due cross join records r on r.id = due.id
where due.type = 'outcome' and r.body <> ''
