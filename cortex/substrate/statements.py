"""SQL kept as files, one a noun: each statement stands under its `-- name:`, and is asked for as 'noun.name'."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable
from functools import cache
from typing import Any, Final, Protocol

from cortex.packaged import files

_NAME: Final = "-- name: "


class Opened(Protocol):
    """What has a connection: a brain, a ledger."""

    @property
    def db(self) -> sqlite3.Connection:
        """The connection."""


def script(name: str, folder: str = "sql") -> str:
    """The whole of `{folder}/{name}.sql`."""
    return files("cortex.substrate").joinpath(folder, f"{name}.sql").read_text("utf-8")


@cache
def statements(noun: str, folder: str = "sql") -> dict[str, str]:
    """The statements of `{folder}/{noun}.sql` by name, each with its name and its comments."""
    return {part.partition("\n")[0]: f"{_NAME}{part.rstrip()}" for part in script(noun, folder).split(_NAME)[1:]}


@cache
def sql(name: str) -> str:
    """The statement called *name*, such as 'queue.lease_jobs'; the files of other nouns are not read."""
    noun, _, statement = name.partition(".")
    return statements(noun)[statement]


def run(opened: Opened, name: str, /, **values: object) -> sqlite3.Cursor:
    """Run the statement called *name*, or a short one as it is; a collection among *values* becomes a JSON array."""
    statement = name if " " in name else sql(name)
    return opened.db.execute(statement, {key: _bound(value) for key, value in values.items()})


def column(opened: Opened, name: str, /, **values: object) -> list[Any]:
    """The first column of what `run` gives."""
    return [row[0] for row in run(opened, name, **values)]


def rows(opened: Opened, name: str, /, **values: object) -> list[dict[str, Any]]:
    """The rows of the statement called *name*, by column."""
    cursor = run(opened, name, **values)
    columns = [column[0] for column in cursor.description]
    return [dict(zip(columns, row, strict=True)) for row in cursor]


def _bound(value: object) -> object:
    return json.dumps([*value]) if isinstance(value, Iterable) and not isinstance(value, str | bytes) else value


def run_script(db: sqlite3.Connection, name: str) -> None:
    """Run the statements that stand under one *name*, such as those that make temporary tables."""
    for statement in sql(name).split(";\n"):
        db.execute(statement)
