-- amending.sql: of the decision called :ref its rule first, else where it says what was decided: id.
select part.id
from records r
cross join records part on part.source_id = r.source_id and part.path = r.path and part.gone_at is null
where r.source_id = :source_id and r.ref = :ref and r.gone_at is null
order by part.type <> 'directive', part.title not like '%› Decision', part.id
limit 1
