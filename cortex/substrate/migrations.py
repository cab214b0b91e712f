"""The only DDL: each migration is a file of `sql/`, all or nothing, and is never edited once released."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator

from sqlite_utils import Database, Migrations

from cortex.packaged import files
from cortex.substrate.statements import script

SCHEMA = tuple(sorted(path.stem for path in (files("cortex.substrate") / "sql").glob("[0-9]*.sql")))

migrations = Migrations("cortex")


def _migration(name: str, version: int) -> Callable[[Database], None]:
    def migrate(db: Database) -> None:
        for statement in split(script(name)):
            db.conn.execute(statement)
        db.conn.execute(f"pragma user_version = {version}")

    return migrate


for _version, _name in enumerate(SCHEMA, 1):
    migrations(name=_name)(_migration(_name, _version))


def split(script: str) -> Iterator[str]:
    """The statements of *script*, one by one; triggers stay whole."""
    statement = ""
    for line in script.splitlines(keepends=True):
        statement += line
        if line.rstrip().endswith(";") and sqlite3.complete_statement(statement):
            yield statement
            statement = ""


def migrate(db: sqlite3.Connection) -> None:
    """Bring *db* to the newest schema; nothing happens when it is there already. Call it inside a transaction."""
    migrations.apply(Database(db, recursive_triggers=False, execute_plugins=False))
