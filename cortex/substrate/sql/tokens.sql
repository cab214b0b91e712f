-- Every token, or the one in force that a caller sent.
select name, grants, sources, created_at, revoked_at
from tokens
where :digest is null or (digest = :digest and revoked_at is null)
order by id
