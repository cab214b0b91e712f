"""An SQLite file: connections, write transactions, and errors of Cortex for what goes wrong."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from errno import EDQUOT, EFBIG, ENOSPC
from pathlib import Path
from time import perf_counter, sleep
from typing import Final
from urllib.parse import quote

from cortex.errors import BrainBusy, BrainDamaged, BrainError, BrainUnwritable, DiskFull, NotABrain

BUSY_TIMEOUT_S: Final = 30.0
_MOMENT_MS: Final = 100

# A quota and a limit of the file's size fail as writes do; the shared memory of a WAL is a file, too.
_NO_ROOM: Final = (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR_WRITE, sqlite3.SQLITE_IOERR_SHMSIZE)
FULL: Final = (ENOSPC, EDQUOT, EFBIG)


def connect(path: Path, patience_s: float, *, read_only: bool) -> sqlite3.Connection:
    """A connection to the file at *path*, which waits *patience_s* seconds for whoever writes."""
    address = f"file:{quote(str(path.absolute()))}?mode={'ro' if read_only else 'rw'}"
    if read_only and not os.access(path.parent, os.W_OK) and not path.with_name(path.name + "-wal").exists():
        address += "&immutable=1"  # WAL needs a folder it can write to, unless nobody else can be writing
    db = sqlite3.connect(address, uri=True, timeout=patience_s, isolation_level=None, check_same_thread=False)
    db.execute("pragma foreign_keys = on")
    db.execute("pragma synchronous = normal")
    db.execute("pragma temp_store = memory")
    db.execute("pragma cache_size = -65536")
    db.execute("pragma mmap_size = 1073741824")
    return db


def patiently(db: sqlite3.Connection, statement: str, patience_s: float) -> None:
    """Run *statement* as soon as nobody holds the lock."""
    started = perf_counter()
    while True:
        try:
            db.execute(statement)
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or perf_counter() - started > patience_s:
                raise
            sleep(0.01)
        else:
            return


@contextmanager
def whole(db: sqlite3.Connection) -> Iterator[None]:
    """A write transaction, begun after whoever writes now: SQLite waits a moment at a time, as it hears no Ctrl-C."""
    (patience_ms,) = db.execute("pragma busy_timeout").fetchone()
    db.execute(f"pragma busy_timeout = {min(patience_ms, _MOMENT_MS)}")
    try:
        patiently(db, "begin immediate", patience_ms / 1000)
    finally:
        db.execute(f"pragma busy_timeout = {patience_ms}")
    try:
        yield
        db.execute("commit")
    except BaseException:
        if db.in_transaction:
            db.execute("rollback")
        raise


@contextmanager
def atomic(db: sqlite3.Connection, path: Path) -> Iterator[sqlite3.Connection]:
    """A write transaction of the file at *path*: commits at the end, rolls back on anything that stops it."""
    with translated(path), whole(db):
        yield db


@contextmanager
def translated(path: Path) -> Iterator[None]:
    """Turn what SQLite and the file system say of *path* into errors a person can act on."""
    try:
        yield
    except sqlite3.Error as error:
        raise _translate(error, path) from error
    except UnicodeDecodeError as error:  # of an error's own words, where they quote what is damaged
        raise BrainDamaged(path, "its schema cannot be read") from error
    except (PermissionError, IsADirectoryError, NotADirectoryError, FileExistsError) as error:
        raise BrainUnwritable(path, error.strerror or str(error)) from error


def _translate(error: sqlite3.Error, path: Path) -> BrainError | sqlite3.Error:
    code = getattr(error, "sqlite_errorcode", 0)
    if code in _NO_ROOM:
        return DiskFull(path, str(error))
    match code & 0xFF:
        case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED:
            return BrainBusy(path, waited_s=BUSY_TIMEOUT_S)
        case sqlite3.SQLITE_NOTADB:
            return NotABrain(path, str(error))
        case sqlite3.SQLITE_CORRUPT:
            return BrainDamaged(path, str(error))
        case sqlite3.SQLITE_READONLY | sqlite3.SQLITE_IOERR | sqlite3.SQLITE_CANTOPEN:
            return BrainUnwritable(path, str(error))
        case _:
            return error
