-- names_of_login.sql: what git calls who is called :who on GitHub, by the commits that their pull requests became; nothing where
-- these are of several names, or one name is of several logins. Who made a merge commit need not have written anything.
with became as materialized (
    select distinct lower(p.author) as login, c.author as name
    from records p
    cross join links l on l.source_id = p.source_id and l.to_ref = p.ref and l.relation = 'merges' and l.to_source = ''
    cross join records c on c.source_id = l.source_id and c.ref = l.from_ref
    where p.source_id in (select value from json_each(:sources)) and p.type = 'pull' and p.gone_at is null
        and c.type = 'commit' and c.gone_at is null and c.title not like 'Merge %' and p.author <> '' and c.author <> ''
        and lower(p.author) <> lower(c.author)
)
select lower(b.name) from became b
where b.login = :who
    and (select count(*) from became other where other.login = b.login) = 1
    and (select count(*) from became other where other.name = b.name) = 1
