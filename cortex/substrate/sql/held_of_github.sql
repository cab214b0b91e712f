-- held_of_github.sql: ref and address of what GitHub's lists of a repository should still have.
select ref, url from records
where source_id = (select id from sources where name = :source) and origin = 'github'
  and type in ('issue', 'pull', 'comment') and gone_at is null
