-- verdicts_on.sql: each reviewer's last verdict on a thread, else their last review, with their name, the latest first.
-- Who answers under their own pull request reviews nothing.
select id, author, state, created_at from (
    select
        r.id, r.author, r.state, r.created_at,
        row_number() over (
            partition by r.author order by r.state in ('commented', 'dismissed'), r.created_at desc, r.id desc
        ) as place
    from records r
    left join records p on p.source_id = r.source_id and p.ref = r.thread
    where r.source_id = :source_id and r.thread = :ref and r.thread <> '' and r.gone_at is null
        and (:as_of = '' or r.created_at <= :as_of) and r.author is not p.author
        and r.state in ('approved', 'changes_requested', 'commented', 'dismissed') and (:verdict = '' or r.state = :verdict)
)
where place = 1
order by created_at desc
