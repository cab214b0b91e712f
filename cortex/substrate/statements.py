"""SQL kept as files: one statement a file, named as the function that runs it."""

from __future__ import annotations

from functools import cache

from cortex.packaged import files


@cache
def sql(name: str) -> str:
    """The statement in `sql/{name}.sql`."""
    return (files("cortex.substrate") / "sql" / f"{name}.sql").read_text("utf-8")
