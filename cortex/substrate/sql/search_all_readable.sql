-- search_all_readable.sql: whether every row may be read: no record is gone, and no source is left out.
select not exists (select 1 from records where gone_at is not null)
    and (:sources is null or not exists (select 1 from sources where id not in (select value from json_each(:sources))));
