-- said_in_thread.sql: what was said in the thread :ref, the issue or pull request itself first, then each comment in order.
select id, ref, author, association, unverified, body
from (
    select id, ref, author, association, vouched is not null as unverified, body, '' as made from records
    where source_id = :source_id and ref = :ref and gone_at is null
    union all
    select id, ref, author, association, vouched is not null, body, created_at from records
    where source_id = :source_id and thread = :ref and thread <> '' and +type = 'comment' and gone_at is null
        and (:as_of = '' or created_at <= :as_of)
)
order by made, id
