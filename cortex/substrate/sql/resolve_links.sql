-- resolve_links.sql: '#12' becomes the pull request or the issue that has this number; of both the one that is still there.
update or replace links set to_ref = coalesce(
    (select r.ref from records r where r.source_id = links.source_id and r.ref = 'pull:' || substr(links.to_ref, 2)
        and (r.gone_at is null or not exists (
            select 1 from records i
            where i.source_id = r.source_id and i.ref = 'issue:' || substr(links.to_ref, 2) and i.gone_at is null
        ))),
    'issue:' || substr(links.to_ref, 2)
)
where source_id = :source_id and to_source = '' and to_ref glob '#[0-9]*'
  and exists (
    select 1 from records r where r.source_id = links.source_id
    and r.ref in ('pull:' || substr(links.to_ref, 2), 'issue:' || substr(links.to_ref, 2))
)
