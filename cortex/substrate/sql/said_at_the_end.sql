-- said_at_the_end.sql: what was said in the thread :id: until a day after it was closed, or merged, the latest first:
-- whether at once, by whom it ended, as the last word, where that came within a day, by one of the project, and by who
-- has done nothing there yet nor opened it. One empty row where nobody said anything, none where it did not end so; all that was said of a thread that is open. '+' keeps
-- SQLite from reading all comments there are.
with head as materialized (
    select
        source_id, ref, author,
        case :verb
            when 'open' then (
                select max(c.created_at) from records c where c.source_id = h.source_id and c.thread = h.ref
                    and c.thread <> '' and (:as_of = '' or c.created_at <= :as_of)
            )
            when 'merged' then merged_at
            else coalesce(closed_at, merged_at)
        end as ended,
        case :verb when 'open' then '' when 'merged' then merged_by else coalesce(nullif(closed_by, ''), merged_by) end as who
    from records h where id = :id
)
select
    r.id, r.body, :verb <> 'open' and abs(unixepoch(r.created_at) - unixepoch(h.ended)) <= 60,
    h.who <> '' and r.author = h.who,
    abs(unixepoch(r.created_at) - unixepoch(h.ended)) <= 86400
        and row_number() over (order by r.created_at desc, r.id desc) = 1,
    coalesce(r.association in ('OWNER', 'MEMBER', 'COLLABORATOR'), 0),
    coalesce(r.association in ('NONE', 'FIRST_TIMER', 'FIRST_TIME_CONTRIBUTOR', 'MANNEQUIN') and r.author <> h.author, 0)
from head h
left join records r on r.source_id = h.source_id and r.thread = h.ref and r.thread <> '' and +r.type = 'comment'
    and r.gone_at is null and unixepoch(r.created_at) <= unixepoch(h.ended) + 86400
    and (:as_of = '' or r.created_at <= :as_of)
where h.ended is not null and (:as_of = '' or h.ended <= :as_of)
order by r.created_at desc, r.id desc
