-- is_release_titled.sql: whether the title of a commit or pull request tells of a release of this version.
select exists (
    select 1 from records
    where type in ('commit', 'pull') and gone_at is null
        and source_id in (select value from json_each(:sources)) and (:as_of = '' or created_at <= :as_of)
        and title like '%' || :version || '%'
        and (title like '%release%' or title like '%version%' or title like '%tag%' or trim(title) in (:version, 'v' || :version))
)
