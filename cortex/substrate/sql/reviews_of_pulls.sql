-- reviews_of_pulls.sql: each reviewer's last verdict on these pull requests, with the fact that tells it.
select record, fact from (
    select
        r.id as record, f.id as fact, r.author, r.created_at, r.state,
        row_number() over (partition by l.source_id, l.to_ref, r.author order by r.created_at desc, r.id desc) as place
    from json_each(:sources) s
    cross join json_each(:refs) asked
    cross join links l on l.source_id = s.value and l.to_ref = asked.value and l.relation = 'reviews' and l.to_source = ''
    cross join records r on r.source_id = l.source_id and r.ref = l.from_ref
    cross join facts f on f.record_id = r.id and f.path = 'promotion'
    where r.gone_at is null and (:as_of = '' or r.created_at <= :as_of) and (:state = '' or r.state = :state)
)
where place = 1
order by created_at desc
limit :limit
