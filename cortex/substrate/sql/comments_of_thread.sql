-- comments_of_thread.sql: what was said under an issue or a pull request, in order.
select ref, author, created_at, body
from records
where source_id = :source_id and thread = :ref and thread <> '' and gone_at is null
order by created_at, ref
