-- Rows are secured by their source: readers run as a role that sees rows of the sources that `cortex.sources` marks, and of no
-- others. It has a '1' at the place of each, so that a row takes as long however many there are.
-- Run again after a migration, it secures the tables that have come.

-- The marks for an array of sources, as earlier readers set it.
create or replace function cortex_sql.marked_sources(text) returns bytea language sql stable strict as
$$ select string_agg(case when n = any ($1::bigint[]) then '1' else '0' end, '' order by n)::bytea
    from generate_series(0, (select max(n) from unnest($1::bigint[]) n)) n $$;

do $$
declare
    reader constant text := ('cortex_reader_' || current_database())::name;
    -- No index helps with a condition in this form, and it counts as one that nearly all rows meet: statements have their own by source.
    here constant text := 'nullif(substr((select case when current_setting(''cortex.sources'', true) like ''{%%'''
        ' then cortex_sql.marked_sources(current_setting(''cortex.sources'', true))'
        ' else current_setting(''cortex.sources'', true)::bytea end), (%s)::integer + 1, 1) = ''1''::bytea, false) is not unknown';
    secured record;
begin
    if not exists (select from pg_roles where rolname = reader) then
        execute format('create role %I nologin', reader);
    end if;
    if not pg_has_role(reader, 'member') then
        execute format('grant %I to current_user', reader);
    end if;
    for secured in
        select a.attrelid::regclass as name, format(here, case when a.attnotnull then 'source_id' else 'coalesce(source_id, 0)' end) as shown
        from pg_attribute a join pg_class c on c.oid = a.attrelid
        where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.attname = 'source_id'
    loop
        execute format('alter table %s enable row level security', secured.name);
        execute format('drop policy if exists everybody on %s', secured.name);
        execute format('drop policy if exists by_source on %s', secured.name);
        execute format('create policy everybody on %s using (true)', secured.name);
        execute format('create policy by_source on %s as restrictive to %I using (%s)', secured.name, reader, secured.shown);
    end loop;
    alter view closings set (security_invoker = true);
    execute format('grant usage on schema public, cortex_sql to %I', reader);
    execute format('grant select on all tables in schema public, cortex_sql to %I', reader);
exception when insufficient_privilege or invalid_parameter_value then -- of a view that runs as its reader, before PostgreSQL 15
    raise warning 'readers see every source: %', sqlerrm;
end
$$;
