"""The only DDL: each migration is a file of `sql/`, all or nothing, and is never edited once released."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from typing import TYPE_CHECKING

from sqlite_utils import Database, Migrations

from cortex.substrate.statements import script

if TYPE_CHECKING:
    from sqlite_utils.migrations import _MigrationFunction

SCHEMA = (
    "0001_schema",
    "0002_compaction",
    "0003_queue",
    "0004_calls",
    "0005_tokens",
    "0006_revived",
    "0007_vouched",
    "0008_vectors",
    "0009_changes",
    "0010_compared_anew",
    "0011_open_types",
    "0012_kinds",
    "0013_blocks",
    "0014_releases_read",
    "0015_counts_of_scopes",
    "0016_derived_links",
    "0017_tree",
    "0018_kinds_by_why",
    "0019_kinds_of_issues",
    "0020_less_is_a_fact",
    "0021_kinds_by_worth",
    "0022_fewer_decisions",
)

migrations = Migrations("cortex")


def _migration(name: str, version: int) -> _MigrationFunction:
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
