-- What SQLite has and PostgreSQL has not, or has otherwise: functions, aggregates and operators of a schema before its own.

create schema cortex_sql;

create type cortex_sql.element as (key bigint, value text collate "C");

create type cortex_sql.number as (key bigint, value bigint);

create function cortex_sql.json_each(text) returns setof cortex_sql.element language sql immutable strict rows 20 as
$$ select place - 1, value from pg_catalog.json_array_elements_text(coalesce(nullif($1, ''), '[]')::json) with ordinality as e (value, place) $$;

create function cortex_sql.json_each_number(text) returns setof cortex_sql.number language sql immutable strict rows 20 as
$$ select place - 1, value::bigint from pg_catalog.json_array_elements_text(coalesce(nullif($1, ''), '[]')::json) with ordinality as e (value, place) $$;

create function cortex_sql.json_extract(text, text) returns text language sql immutable strict as
$$ select $1::json #>> string_to_array(trim(both '.' from replace(replace(substr($2, 2), '[', '.'), ']', '')), '.') $$;

create function cortex_sql.json_each(text, text) returns setof cortex_sql.element language sql immutable strict rows 20 as
$$ select key, value from cortex_sql.json_each(cortex_sql.json_extract($1, $2)) $$;

create function cortex_sql.json_field(text, text) returns text language sql immutable strict as
$$ select case when $2 like '$%' then cortex_sql.json_extract($1, $2) else $1::json ->> $2 end $$;

create function cortex_sql.json_item(text, bigint) returns text language sql immutable strict as
$$ select $1::json ->> $2::integer $$;

create operator cortex_sql.->> (leftarg = text, rightarg = text, function = cortex_sql.json_field);

create operator cortex_sql.->> (leftarg = text, rightarg = bigint, function = cortex_sql.json_item);

create function cortex_sql.json_array_length(text) returns bigint language sql immutable strict as
$$ select pg_catalog.json_array_length($1::json) $$;

create function cortex_sql.json_of(anycompatiblearray) returns text language sql immutable as
$$ select coalesce(array_to_json($1)::text, '[]') $$;

create aggregate cortex_sql.json_group_array (anycompatible) (
    sfunc = array_append, stype = anycompatiblearray, finalfunc = cortex_sql.json_of, initcond = '{}'
);

create function cortex_sql.iif(boolean, anycompatible, anycompatible) returns anycompatible language sql immutable as
$$ select case when $1 then $2 else $3 end $$;

create function cortex_sql.max(anycompatible, anycompatible) returns anycompatible language sql immutable as
$$ select case when $1 is not null and $2 is not null then greatest($1, $2) end $$;

create function cortex_sql.max(anycompatible, anycompatible, anycompatible) returns anycompatible language sql immutable as
$$ select case when $1 is not null and $2 is not null and $3 is not null then greatest($1, $2, $3) end $$;

create function cortex_sql.min(anycompatible, anycompatible) returns anycompatible language sql immutable as
$$ select case when $1 is not null and $2 is not null then least($1, $2) end $$;

create function cortex_sql.count_true(bigint, boolean) returns bigint language sql immutable as
$$ select case when $2 is null then $1 else coalesce($1, 0) + $2::integer end $$;

create aggregate cortex_sql.sum (boolean) (sfunc = cortex_sql.count_true, stype = bigint);

create aggregate cortex_sql.max (boolean) (sfunc = pg_catalog.boolor_statefunc, stype = boolean);

create aggregate cortex_sql.min (boolean) (sfunc = pg_catalog.booland_statefunc, stype = boolean);

create function cortex_sql.instr(text, text) returns bigint language sql immutable strict as
$$ select position($2 in $1) $$;

create function cortex_sql.lower(text) returns text language sql immutable strict as
$$ select pg_catalog.lower($1 collate "C") $$;

create function cortex_sql.upper(text) returns text language sql immutable strict as
$$ select pg_catalog.upper($1 collate "C") $$;

create function cortex_sql.substr(text, bigint) returns text language sql immutable strict as
$$ select case when $2 < 0 then pg_catalog.right($1, (-$2)::integer) else pg_catalog.substr($1, $2::integer) end $$;

create function cortex_sql.substr(text, bigint, bigint) returns text language sql immutable strict as
$$ select case when $2 < 0 or $3 < 0 then null else pg_catalog.substr($1, $2::integer, $3::integer) end $$;

create function cortex_sql.substr(text, integer) returns text language sql immutable strict as
$$ select cortex_sql.substr($1, $2::bigint) $$;

create function cortex_sql.round(double precision, bigint) returns double precision language sql immutable strict as
$$ select pg_catalog.round($1::numeric, $2::integer)::double precision $$;

create function cortex_sql.unixepoch(text) returns bigint language sql stable strict as
$$ select floor(extract(epoch from ($1 || case when length($1) > 10 then '' else 'T00:00:00Z' end)::timestamptz))::bigint $$;

create function cortex_sql.julianday(text) returns double precision language sql stable strict as
$$ select extract(epoch from ($1 || case when length($1) > 10 then '' else 'T00:00:00Z' end)::timestamptz)::double precision
    / 86400 + 2440587.5 $$;

create function cortex_sql.glob(text, text) returns boolean language sql immutable strict as
$$ select $1 ~ ('^(?:' || replace(replace(regexp_replace($2, '([.()+$^{}|\\])', '\\\1', 'g'), '*', '.*'), '?', '.') || ')$') $$;

create operator cortex_sql.@~ (leftarg = text, rightarg = text, function = cortex_sql.glob);

create function cortex_sql.json(text) returns json language sql immutable strict as $$ select $1::json $$;

create function cortex_sql.json_node(text, text) returns json language sql immutable strict as
$$ select $1::json -> substr($2, 3) $$;

create operator cortex_sql.-> (leftarg = text, rightarg = text, function = cortex_sql.json_node);

create function cortex_sql.json_set(text, text, anyelement) returns text language sql immutable as
$$ select ($1::jsonb || jsonb_build_object(substr($2, 3), $3))::text $$;

create function cortex_sql.json_patch(text, json) returns text language sql immutable as
$$ select (json_strip_nulls($1::json)::jsonb || json_strip_nulls($2)::jsonb)::text $$;

create function cortex_sql.printf(text, double precision, double precision, text) returns text language sql stable as
$$ select regexp_replace(regexp_replace(replace($1, '%s', $4), '%\.2f', to_char($2, 'FM9990.00')), '%\.2f', to_char($3, 'FM9990.00')) $$;

create function cortex_sql.strftime(text, text, text) returns text language sql stable strict as
$$ select to_char($2::timestamptz + $3::interval, 'YYYY-MM-DD"T"HH24:MI:SS"Z"') $$;
