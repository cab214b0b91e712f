-- resolve_links.sql: '#12' becomes the pull request or the issue that has this number.
update or replace links set to_ref = coalesce(
    (select r.ref from records r where r.source_id = links.source_id and r.ref = 'pull:' || substr(links.to_ref, 2)),
    'issue:' || substr(links.to_ref, 2)
)
where source_id = :source_id and to_source = '' and to_ref glob '#[0-9]*'
  and exists (
    select 1 from records r where r.source_id = links.source_id
    and r.ref in ('pull:' || substr(links.to_ref, 2), 'issue:' || substr(links.to_ref, 2))
)
