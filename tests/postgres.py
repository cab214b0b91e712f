"""A database for tests, where a PostgreSQL server answers: one a process, emptied before each test."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from tempfile import gettempdir

import pytest

from cortex.substrate.address import located
from cortex.substrate.brain import Brain, open_brain

SERVER = os.environ.get("CORTEX_TEST_SERVER", "postgresql://127.0.0.1:5432")
NAME = f"cortex_test_{os.getpid()}"


@cache
def unreachable() -> str:
    """Why no server answers; '' where one does."""
    try:
        import psycopg  # noqa: PLC0415  an extra
    except ModuleNotFoundError:
        return "the extra postgres is not installed"
    try:
        ask(f"create database {NAME}")
    except psycopg.OperationalError as error:
        return f"no PostgreSQL server answers at {SERVER}: {' '.join(str(error).split())}"
    return ""


def ask(statement: str) -> None:
    """Have the server do something outside of the test's database."""
    import psycopg  # noqa: PLC0415  an extra

    with psycopg.connect(f"{SERVER}/postgres", autocommit=True, connect_timeout=2) as db:
        db.execute(statement)


def address() -> Path:
    """The path that stands for the database of this process."""
    return located(f"{SERVER}/{NAME}", Path(gettempdir()) / NAME)


@contextmanager
def postgres_brain() -> Iterator[Brain]:
    """A brain that holds nothing, in a database; the test is left out where there is no server."""
    if reason := unreachable():
        pytest.skip(reason)
    with open_brain(address()) as brain:
        tables = [name for (name,) in brain.db.execute("select tablename from pg_tables where schemaname = 'public'")]
        brain.db.execute(f"truncate {', '.join(tables)} restart identity")
        yield brain


def drop() -> None:
    """Leave no database behind."""
    if unreachable.cache_info().currsize and not unreachable():
        ask(f"drop database if exists {NAME} with (force)")
        ask(f"drop role if exists cortex_reader_{NAME}")
