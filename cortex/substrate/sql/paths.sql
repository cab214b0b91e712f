-- name: files_touched
-- Of each of these files of a source, whether its tree has it now, and how many commits touched it; null
-- where the tree was never read.
with asked as materialized (
    select value as path, 'file:' || value as ref from json_each(:paths)
)
select
    a.path,
    iif(
        exists (select 1 from tree t where t.source_id = :source_id),
        exists (select 1 from tree t where t.source_id = :source_id and t.path = a.path), null
    ),
    (
        select count(*) from links l
        where l.source_id = :source_id and l.to_source = '' and l.relation = 'touches' and l.to_ref = a.ref
    )
from asked a;

-- name: files_within
-- The files that commits changed whose names begin so, with the source that knows them.
select distinct s.value, substr(l.to_ref, 6)
from json_each(:sources) s
cross join links l on l.source_id = s.value and l.to_source = '' and l.relation = 'touches'
  and l.to_ref >= 'file:' || :start and l.to_ref < 'file:' || :start || char(1114111);

-- name: kept_paths
-- The files that records stand in or speak of, with their sources; not by the word of whom nobody trusts.
select distinct source_id, path
from records
where source_id in (select value from json_each(:sources)) and path <> '' and gone_at is null and origin <> 'agents';

-- name: touched_in
-- The sources in which a commit changed a file, or something in a folder.
select s.value
from json_each(:sources) s
where exists (
    select 1 from links l
    where l.source_id = s.value and l.to_source = '' and l.relation = 'touches' and l.to_ref = 'file:' || :path
) or exists (
    select 1 from links l
    where l.source_id = s.value and l.to_source = '' and l.relation = 'touches'
      and l.to_ref > 'file:' || :path || '/' and l.to_ref < 'file:' || :path || '0'
);

-- name: paths_ending
-- The files in any folder that are called so, two at most: more than one is not known to be meant.
select distinct substr(l.to_ref, 6)
from json_each(:sources) s
cross join links l
on l.source_id = s.value and l.to_source = '' and l.relation = 'touches' and l.to_ref between 'file:' and 'file;'
    and substr(l.to_ref, -length(:name) - 1) = '/' || :name
limit 2;

-- name: records_about_paths
-- What speaks of files, or of what is in folders: kept there, changing them, merged with that.
with asked as materialized (
    select rtrim(value, '/') as path, rtrim(value, '/') || '/' as first, rtrim(value, '/') || '0' as after
    from json_each(:paths) where rtrim(value, '/') <> ''
), read as materialized (
    select value as id from json_each(:sources)
), kept as materialized (
    select r.id, r.path from read cross join records r on r.source_id = read.id and r.path <> '' where r.gone_at is null
), touching as materialized (
    select l.source_id, l.from_ref as ref from asked cross join read cross join links l
    on l.source_id = read.id and l.to_source = '' and l.relation = 'touches' and l.to_ref = 'file:' || asked.path
    union
    select l.source_id, l.from_ref from asked cross join read cross join links l
    on l.source_id = read.id and l.to_source = '' and l.relation = 'touches'
      and l.to_ref > 'file:' || asked.path || '/' and l.to_ref < 'file:' || asked.path || '0'
), merged as materialized (
    select source_id, ref from touching
    union
    select t.source_id, l.to_ref from touching t cross join links l
    on l.source_id = t.source_id and l.from_ref = t.ref and l.relation = 'merges' and l.to_source = ''
)
select r.id from merged m cross join records r on r.source_id = m.source_id and r.ref = m.ref where r.gone_at is null
union
select k.id from kept k where k.path in (select path from asked)
union
select k.id from kept k cross join asked on k.path > asked.first and k.path < asked.after;
