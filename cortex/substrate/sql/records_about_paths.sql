-- records_about_paths.sql: what speaks of files, or of what is in folders: kept there, changing them, merged with that.
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
select k.id from kept k cross join asked on k.path > asked.first and k.path < asked.after
