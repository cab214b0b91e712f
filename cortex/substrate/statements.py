"""SQL kept as files, one a noun: each statement stands under its `-- name:`, and is asked for as 'noun.name'."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from functools import cache
from typing import Any, Final

from cortex.packaged import files

_NAME: Final = "-- name: "


def script(name: str) -> str:
    """The whole of `sql/{name}.sql`."""
    return (files("cortex.substrate") / "sql" / f"{name}.sql").read_text("utf-8")


@cache
def statements(noun: str) -> dict[str, str]:
    """The statements of `sql/{noun}.sql` by name, each with its name and its comments."""
    return {part.partition("\n")[0]: f"{_NAME}{part.rstrip()}" for part in script(noun).split(_NAME)[1:]}


@cache
def sql(name: str) -> str:
    """The statement called *name*, such as 'queue.lease_jobs'; the files of other nouns are not read."""
    noun, _, statement = name.partition(".")
    return statements(noun)[statement]


def run_script(db: sqlite3.Connection, name: str) -> None:
    """Run the statements that stand under one *name*, such as those that make temporary tables."""
    for statement in sql(name).split(";\n"):
        db.execute(statement)


def rows(db: sqlite3.Connection, name: str, values: Mapping[str, object]) -> list[dict[str, Any]]:
    """The rows of the statement called *name*, by column."""
    cursor = db.execute(sql(name), values)
    columns = [column[0] for column in cursor.description]
    return [dict(zip(columns, row, strict=True)) for row in cursor]
