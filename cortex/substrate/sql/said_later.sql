-- said_later.sql: what comments begin with that were made in the thread :ref after :day, by :author or, where :anybody, by
-- somebody of the project.
select substr(r.body, 1, 300)
from records r
where r.source_id = :source_id and r.thread = :ref and r.thread <> '' and r.created_at > :day
    and (r.author = :author or (:anybody and r.association in ('', 'OWNER', 'MEMBER', 'COLLABORATOR')))
    and +r.type = 'comment' and r.gone_at is null and (:as_of = '' or r.created_at <= :as_of)
