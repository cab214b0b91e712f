-- reviews_of_pulls.sql: each reviewer's last verdict on these pull requests, with the fact that tells it, then the last review
-- of who gave none; with :who only theirs. Who answers under their own pull request reviews nothing.
select record, fact from (
    select
        r.id as record, f.id as fact, r.author, r.created_at, r.state in ('commented', 'dismissed') as plain,
        row_number() over (
            partition by r.source_id, r.thread, r.author
            order by r.state in ('commented', 'dismissed'), r.created_at desc, r.id desc
        ) as place
    from json_each(:sources) s
    cross join json_each(:refs) asked
    cross join records r on r.source_id = s.value and r.thread = asked.value and r.thread <> ''
    left join records p on p.source_id = r.source_id and p.ref = r.thread
    left join facts f on f.record_id = r.id and f.path = 'promotion'
    where r.gone_at is null and (:as_of = '' or r.created_at <= :as_of) and r.author is not p.author
        and r.state in ('approved', 'changes_requested', 'commented', 'dismissed') and (:state = '' or r.state = :state)
        and (:who = '[]' or lower(r.author) in (select value from json_each(:who)))
)
where place = 1
order by plain, created_at desc
limit :limit
