"""The ledger: a file of its own beside a brain, for what cannot be made again from the project's sources."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, Self

from cortex.errors import BrainTooNew, NotABrain
from cortex.substrate.brain import BUSY_TIMEOUT_S, atomic, translated
from cortex.substrate.statements import script

SCHEMA: Final = ("0001_ledger",)
SCHEMA_VERSION: Final = len(SCHEMA)
APPLICATION_ID: Final = 0x4352544C  # 'CRTL'


class Ledger:
    """An open ledger and where it is."""

    def __init__(self, db: sqlite3.Connection, path: Path) -> None:
        self.db, self.path = db, path

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.db.close()

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """All or nothing.

        Raises:
            BrainBusy: another writer held the lock for longer than the busy timeout.
            BrainUnwritable: the file takes no writes.
            DiskFull: there is no room for what is written.
        """
        with atomic(self.db, self.path):
            yield self.db


def ledger_path(brain: Path) -> Path:
    """Where the ledger of the brain at *brain* is.

    >>> ledger_path(Path("home/brain.db")).name
    'brain.evals.db'
    """
    return brain.with_name(f"{brain.stem}.evals.db")


def open_ledger(path: Path) -> Ledger:
    """Open the ledger at *path*, made and brought to the newest schema where need be.

    Raises:
        BrainTooNew: a later Cortex wrote it; it is left untouched.
        NotABrain: it is no SQLite database, or another program's.
        BrainUnwritable: the file or its folder takes no writes.
    """
    with translated(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        db = sqlite3.connect(path, timeout=BUSY_TIMEOUT_S, isolation_level=None)
        try:
            db.execute("pragma foreign_keys = on")
            db.execute("pragma synchronous = normal")
            _prepare(db, path)
        except BaseException:
            db.close()
            raise
    return Ledger(db, path)


def _prepare(db: sqlite3.Connection, path: Path) -> None:
    (version,) = db.execute("pragma user_version").fetchone()
    (application,) = db.execute("pragma application_id").fetchone()
    (tables,) = db.execute("select count(*) from sqlite_master").fetchone()
    if tables and application != APPLICATION_ID:
        raise NotABrain(path, "it is another program's database")
    if version > SCHEMA_VERSION:
        raise BrainTooNew(path, found=version, known=SCHEMA_VERSION)
    if version < SCHEMA_VERSION:
        db.execute("pragma journal_mode = wal")
        _migrate(db)
        path.chmod(0o600)  # it holds what people asked


def _migrate(db: sqlite3.Connection) -> None:
    from cortex.substrate.migrations import split  # noqa: PLC0415  sqlite-utils takes 0.1 s to import

    db.execute("begin immediate")
    (version,) = db.execute("pragma user_version").fetchone()  # another process may have been faster
    for number, name in enumerate(SCHEMA[version:], version + 1):
        for statement in split(script(f"ledger/{name}")):
            db.execute(statement)
        db.execute(f"pragma user_version = {number}")
    db.execute(f"pragma application_id = {APPLICATION_ID}")
    db.execute("commit")
