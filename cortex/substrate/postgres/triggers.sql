-- What SQLite's triggers and the numbers of its rows are, besides the full-text index.

create table cortex_sql.version (number bigint not null);

alter table changes add column rowid bigint generated always as identity;

create function fact_compared_anew() returns trigger language plpgsql as $$
begin
    delete from compared where fact_id = new.id;
    return null;
end
$$;

create trigger facts_compared_anew after update of excerpt, valid_until on facts for each row
when ((old.excerpt, old.valid_until) is distinct from (new.excerpt, new.valid_until))
execute function fact_compared_anew();

create function record_compared_anew() returns trigger language plpgsql as $$
begin
    delete from compared where fact_id in (select id from facts where record_id = new.id);
    return null;
end
$$;

create trigger records_compared_anew after update of author, thread, type, gone_at on records for each row
when ((old.author, old.thread, old.type, old.gone_at) is distinct from (new.author, new.thread, new.type, new.gone_at))
execute function record_compared_anew();

create function cortex_sql.excerpt_of(bigint, bigint, bigint) returns text language sql stable strict as
$$ select pg_catalog.substr(body, $2::integer + 1, ($3 - $2)::integer) from public.records where id = $1 $$;

-- Numbers follow the highest there is, as in SQLite: also where one was put back, or a statement was taken back.
create function cortex_sql.count_on() returns trigger language plpgsql as $$
begin
    execute format(
        'select setval(pg_get_serial_sequence(%L, ''id''), (select coalesce(max(id), 0) + 1 from %I), false)', tg_table_name, tg_table_name
    );
    return null;
end
$$;

do $$
declare
    counted text;
begin
    foreach counted in array array['sources', 'records', 'facts', 'passages', 'facts_archive', 'facts_revived', 'runs'] loop
        execute format('create trigger counted before insert on %I for each statement execute function cortex_sql.count_on()', counted);
    end loop;
end
$$;
