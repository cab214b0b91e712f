"""SQL kept as files: one statement a file, named as the function that runs it."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from functools import cache
from typing import Any

from cortex.packaged import files


@cache
def sql(name: str) -> str:
    """The statement in `sql/{name}.sql`."""
    return (files("cortex.substrate") / "sql" / f"{name}.sql").read_text("utf-8")


def rows(db: sqlite3.Connection, name: str, values: Mapping[str, object]) -> list[dict[str, Any]]:
    """The rows of `sql/{name}.sql` by column."""
    cursor = db.execute(sql(name), values)
    columns = [column[0] for column in cursor.description]
    return [dict(zip(columns, row, strict=True)) for row in cursor]
