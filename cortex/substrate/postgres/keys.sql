-- Keys lead with the source of a row: a table without one gets it of what its rows belong to. Run again after a migration,
-- it does so for the tables that have come. `cortex.reference_tables` and `cortex.parents` are what `keys.py` says.

create or replace function cortex_sql.source_of_record() returns trigger language plpgsql as $$
begin
    if new.source_id is null then
        select source_id into new.source_id from records where id = new.record_id;
    end if;
    return new;
end
$$;

create or replace function cortex_sql.source_of_passage() returns trigger language plpgsql as $$
begin
    if new.source_id is null then
        select source_id into new.source_id from passages where id = new.passage_id;
    end if;
    return new;
end
$$;

-- A fact that is gone left rows behind which nobody reads: they are of the source 0.
create or replace function cortex_sql.source_of_fact() returns trigger language plpgsql as $$
begin
    new.source_id := coalesce(new.source_id, (select source_id from facts where id = new.fact_id), 0);
    return new;
end
$$;

create or replace function cortex_sql.source_of_handle() returns trigger language plpgsql as $$
begin
    new.source_id := coalesce(
        new.source_id, (select source_id from facts where handle = new.handle),
        (select source_id from facts_archive where handle = new.handle limit 1),
        (select source_id from facts_revived where handle = new.handle limit 1), 0
    );
    return new;
end
$$;

do $$
declare
    whole constant text[] := current_setting('cortex.reference_tables');
    one record;
    statement text;
begin
    for one in select key as name, value as parent from json_each_text(current_setting('cortex.parents')::json) loop
        continue when exists (select from pg_attribute where attrelid = one.name::regclass and attname = 'source_id');
        execute format('alter table %I add column source_id bigint', one.name);
        execute format('update %I t set source_id = %s', one.name, case one.parent
            when 'handle' then 'coalesce((select source_id from facts f where f.handle = t.handle),
                (select source_id from facts_archive a where a.handle = t.handle limit 1),
                (select source_id from facts_revived v where v.handle = t.handle limit 1), 0)'
            else format('coalesce((select source_id from %ss p where p.id = t.%1$s_id), 0)', one.parent)
        end);
        execute format('alter table %I alter column source_id set not null', one.name);
        execute format('create trigger sourced before insert on %I for each row execute function cortex_sql.source_of_%s()', one.name, one.parent);
    end loop;

    -- Foreign keys go first, for they lean on the others, and come last.
    create temp table keys_anew on commit drop as
    select
        k.conrelid::regclass as name, k.conname, k.contype, k.confrelid::regclass as refers_to,
        array_agg(a.attname order by c.place) as columns, array_agg(b.attname order by c.place) as of_parent,
        k.confdeltype = 'c' as cascades
    from pg_constraint k
    cross join lateral unnest(k.conkey, coalesce(k.confkey, k.conkey)) with ordinality as c (ours, theirs, place)
    join pg_attribute a on a.attrelid = k.conrelid and a.attnum = c.ours
    join pg_attribute b on b.attrelid = coalesce(nullif(k.confrelid, 0), k.conrelid) and b.attnum = c.theirs
    where k.connamespace = 'public'::regnamespace and k.contype in ('p', 'u', 'f')
      and k.conrelid::regclass::text <> all (whole) and k.confrelid::regclass::text <> all (whole)
    group by k.oid
    having (array_agg(a.attname order by c.place))[1] <> 'source_id';
    for one in select * from keys_anew order by contype <> 'f' loop
        execute format('alter table %s drop constraint %I', one.name, one.conname);
    end loop;
    for one in select * from keys_anew order by contype = 'f', contype loop
        statement := format('alter table %s add constraint %I %s (source_id, %s)', one.name, one.conname,
            case one.contype when 'p' then 'primary key' when 'u' then 'unique' else 'foreign key' end,
            (select string_agg(quote_ident(c), ', ') from unnest(one.columns) c where c <> 'source_id'));
        if one.contype = 'f' then
            statement := statement || format(' references %s (source_id, %s)', one.refers_to, array_to_string(one.of_parent, ', '))
                || case when one.cascades then ' on delete cascade' else '' end;
        else -- a number or a handle is given once in a database: a row is found by it alone, too
            execute format('create index %I on %s (%I)', one.conname || '_alone', one.name, one.columns[1]);
        end if;
        execute statement;
    end loop;
    drop table keys_anew;
end
$$;

-- Who is called alike is looked for in all sources at once.
create index if not exists records_by_ref on records (ref, source_id);

-- The primary keys begin with it.
drop index if exists passages_by_source;
drop index if exists lineage_by_source;

do $$
begin
    execute regexp_replace('create or replace view closings as ' || pg_get_viewdef('closings'), '(SELECT r\.id)(?!,)', '\1, r.source_id');
end
$$;
