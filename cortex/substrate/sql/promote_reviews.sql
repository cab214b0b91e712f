-- promote_reviews.sql: who approved a pull request, or asked for changes, and when.
insert into temp.candidates (record_id, kind, statement, start, end_, confidence, valid_from, valid_until)
select
    r.id, 'process',
    iif(r.state = 'approved', '', r.author || ' requested changes on ')
    || 'PR #' || substr(r.thread, 6) || coalesce(' "' || trim(p.title) || '"', '')
    || iif(r.state = 'approved', ' was approved by ' || r.author, '')
    || coalesce(' on ' || substr(r.created_at, 1, 10), ''),
    0, title_end(r.title, r.body), 0.9, r.created_at, null
from temp.due cross join records r on r.id = due.id
left join records p on p.source_id = r.source_id and p.ref = r.thread and p.gone_at is null
where due.type = 'comment' and r.state in ('approved', 'changes_requested') and r.author <> ''
