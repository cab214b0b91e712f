-- Numbers follow the highest there is, as in SQLite: also where one was put back, or a statement was taken back.
-- Run again after a migration, it numbers the tables that have come.

-- A writer that numbered rows of a table shares its lock until it ends. While nobody else does, every number is known.
create or replace function cortex_sql.numbers_of(regclass) returns integer language sql immutable strict as
$$ select ($1::oid::bigint % 2147483647)::integer $$;

create or replace function cortex_sql.number_alone(text) returns void language sql volatile as
$$ select pg_advisory_xact_lock(1129469017, cortex_sql.numbers_of($1::regclass)) $$;

create or replace function cortex_sql.count_on() returns trigger language plpgsql as $$
declare
    numbers constant integer := cortex_sql.numbers_of(tg_relid);
begin
    begin
        if pg_try_advisory_xact_lock(1129469017, numbers) then
            execute format(
                'select setval(pg_get_serial_sequence(%L, ''id''), (select coalesce(max(id), 0) + 1 from %I), false)',
                tg_table_name, tg_table_name
            );
        end if;
        raise exception using errcode = 'CX001'; -- which gives the lock back, and not the number
    exception when sqlstate 'CX001' then
        perform pg_advisory_xact_lock_shared(1129469017, numbers);
    end;
    return null;
end
$$;

create or replace function cortex_sql.count_past() returns trigger language plpgsql as $$
declare
    numbers text := pg_get_serial_sequence(tg_table_name, 'id');
    highest bigint;
    is_behind boolean;
begin
    execute format('select max(id), max(id) > (select last_value from %s) from %I', numbers, tg_table_name) into highest, is_behind;
    if is_behind then -- only after rows that came with their numbers, and those come alone
        perform setval(numbers, highest);
    end if;
    return null;
end
$$;

do $$
declare
    counted text;
begin
    foreach counted in array array['sources', 'records', 'facts', 'passages', 'facts_archive', 'facts_revived', 'runs'] loop
        execute format('create or replace trigger counted before insert on %I for each statement execute function cortex_sql.count_on()', counted);
    end loop;
    -- These are written to by several at once.
    foreach counted in array array['facts_queue', 'tasks', 'skips', 'tokens', 'calls'] loop
        execute format('create or replace trigger counted after insert on %I for each statement execute function cortex_sql.count_past()', counted);
    end loop;
end
$$;
