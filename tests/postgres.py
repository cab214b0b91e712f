"""Databases for tests, where a PostgreSQL server answers: a few a process, emptied before each use.

With `CORTEX_TEST_ENGINE=postgres` the brains that tests open by `tests.brains.open_new` are such databases.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import pytest

from cortex.errors import BrainFailed
from cortex.substrate.address import Address, argument, is_database, setting
from cortex.substrate.brain import Brain, open_brain

CHOSEN: Final = os.environ.get("CORTEX_TEST_ENGINE") == "postgres"
SERVER: Final = os.environ.get("CORTEX_TEST_SERVER", "postgresql://127.0.0.1:5432")
WORKER: Final = os.environ.get("PYTEST_XDIST_WORKER", "")
NAME: Final = f"cortex_test_{os.getppid() if WORKER else os.getpid()}"

_numbers = count()
_made: list[str] = []
_kept: set[str] = set()
_taken: dict[str, str] = {}
"""By the path that stands for it, each database in use."""

_EMPTY: Final = """
    do $$
    declare
        name text;
        filled boolean;
    begin
        set session_replication_role = replica; -- no trigger, and no look at what refers to a row
        for name in select tablename from pg_tables where schemaname = 'public' loop
            execute format('select exists (select from public.%I)', name) into filled;
            if filled then
                execute format('delete from public.%I', name);
            end if;
        end loop;
        for name in select sequencename from pg_sequences where schemaname = 'public' and last_value is not null loop
            execute format('alter sequence public.%I restart', name);
        end loop;
        set session_replication_role = origin;
    end
    $$
"""
_NUMBERED: Final = """
    select sequencename, last_value from pg_sequences where schemaname = 'public' and last_value is not null
"""
_OTHERS: Final = """
    select count(pg_terminate_backend(pid)) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()
"""


@cache
def unreachable() -> str:
    """Why no server answers; '' where one does."""
    try:
        import psycopg  # noqa: PLC0415  an extra
    except ModuleNotFoundError:
        return "the extra postgres is not installed"
    try:
        ask("select 1")
    except psycopg.OperationalError as error:
        return f"no PostgreSQL server answers at {SERVER}: {' '.join(str(error).split())}"
    return ""


def ask(statement: str) -> None:
    """Have the server do something outside of the tests' databases."""
    import psycopg  # noqa: PLC0415  an extra

    with psycopg.connect(f"{SERVER}/postgres", autocommit=True, connect_timeout=2) as db:
        db.execute(statement)


def database(path: Path) -> Path:
    """The address of the database that stands for the file at *path*; the first time it holds nothing."""
    if is_database(path):
        return path
    if reason := unreachable():
        pytest.skip(reason)
    if str(path) not in _taken:
        leave(gone=True)
        name = next((name for name in _made if name not in _taken.values()), "") or _another()
        _taken[str(path)] = name
        empty(_address(path, name))
    return _address(path, _taken[str(path)])


def _another() -> str:
    _made.append(name := f"{NAME}_{WORKER}_{next(_numbers)}")
    ask(f"create database {name}")
    ask(f"alter database {name} set synchronous_commit = off")
    return name


def bare(path: Path) -> Path:
    """The address of a database without any table, which stands for the file at *path* from now on."""
    if reason := unreachable():
        pytest.skip(reason)
    _taken[str(path)] = _another()
    retire(_address(path, _taken[str(path)]))
    return _address(path, _taken[str(path)])


def foreign(path: Path) -> Path:
    """As `bare`, with a table of another program."""
    import psycopg  # noqa: PLC0415  an extra

    with psycopg.connect(setting(address := bare(path))) as db:
        db.execute("create table notes (said text)")
    return address


def retire(address: Path) -> None:
    """Let no other test have this database."""
    with suppress(ValueError):
        _made.remove(argument(address).rpartition("/")[2])


def forget(address: Path) -> None:
    """Take every table out of a database."""
    retire(address)
    with open_brain(address) as brain:
        db: Any = brain.db
        db.script("drop schema cortex_sql, public cascade; create schema public")


def _address(path: Path, name: str) -> Path:
    address = Address(path)
    address.url = f"{SERVER}/{name}"
    return address


def empty(address: Path) -> None:
    """Take every row out of a database, and end what others do there."""
    with open_brain(address) as brain:
        brain.db.execute(_OTHERS)
        db: Any = brain.db
        db.script(_EMPTY)


def copied(path: Path, into: Path) -> Path:
    """The database that stands for *into*, holding the rows of the one at *path*."""
    import psycopg  # noqa: PLC0415  an extra

    empty(into := database(into))  # what a copy of a file writes over is lost, too
    with psycopg.connect(setting(path)) as held, psycopg.connect(setting(into)) as given:
        given.execute("set session_replication_role = replica")  # no trigger, and no look at what refers to a row
        for (table,) in held.execute("select tablename from pg_tables where schemaname = 'public'").fetchall():
            with (
                held.cursor().copy(f"copy public.{table} to stdout (format binary)") as rows,
                given.cursor().copy(f"copy public.{table} from stdin (format binary)") as copy,
            ):
                for part in rows:
                    copy.write(part)
        for name, last in held.execute(_NUMBERED).fetchall():
            given.execute("select setval(%s, %s)", (f"public.{name}", last))
    return into


def image(path: Path) -> bytes:
    """Every row of the database at *path*, whatever made its tables; of one without tables nothing."""
    import psycopg  # noqa: PLC0415  an extra

    with psycopg.connect(setting(path)) as db:
        tables = db.execute("select tablename from pg_tables where schemaname = 'public' order by 1").fetchall()
        return b"".join(
            repr((table, sorted(map(repr, db.execute(f"select * from public.{table}"))))).encode()  # noqa: S608
            for (table,) in tables
        )


def leave(folder: Path | None = None, *, gone: bool = False) -> None:
    """Let others have the databases that stand for files in *folder*, or in folders that are *gone*; or all."""
    for path in _taken.keys() - _kept:
        if not Path(path).parent.exists() if gone else not folder or Path(path).is_relative_to(folder):
            del _taken[path]


@contextmanager
def postgres_brain() -> Iterator[Brain]:
    """A brain that holds nothing, in a database; the test is left out where there is no server."""
    with TemporaryDirectory() as folder:
        with open_brain(database(Path(folder) / "brain.db")) as brain:
            yield brain
        leave(Path(folder))


@contextmanager
def refusing(brain: Brain, table: str) -> Iterator[type[Exception]]:
    """No row can be put into *table* inside, because of a power cut; with the error that tells it."""
    db: Any = brain.db
    db.script("create function pg_temp.fail() returns trigger language plpgsql as $$ begin raise 'power cut'; end $$")
    db.script(f"create trigger fail before insert on {table} for each row execute function pg_temp.fail()")
    yield BrainFailed
    db.script("drop function pg_temp.fail() cascade")


@contextmanager
def kept(path: Path) -> Iterator[None]:
    """The database at *path*, if it is one, is not another's before this ends."""
    _kept.add(str(path))
    yield
    _kept.remove(str(path))


def drop() -> None:
    """Leave no database behind, of this process or the workers that it started."""
    if unreachable():
        return
    import psycopg  # noqa: PLC0415  an extra

    with psycopg.connect(f"{SERVER}/postgres", autocommit=True) as db:
        asked = "select datname from pg_database where starts_with(datname, %s)"
        for (name,) in db.execute(asked, (f"{NAME}_",)).fetchall():
            db.execute(f"drop database if exists {name} with (force)")
            db.execute(f"drop role if exists cortex_reader_{name}")
