"""Opening a brain: one SQLite file that a nightly run, an agent and a person share."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext, suppress
from functools import cache
from inspect import signature
from pathlib import Path
from time import sleep
from typing import TYPE_CHECKING, Any, Final, Self

from cortex.errors import (
    BrainMissing,
    BrainTooNew,
    BrainTooOld,
    BrainUnwritable,
    DiskFull,
    MissingExtra,
    NotABrain,
    NotKept,
)
from cortex.language.stems import Stemmer, stemmer
from cortex.substrate.address import located
from cortex.substrate.atomic_files import locked, write_file
from cortex.substrate.sqlite.transactions import BUSY_TIMEOUT_S, FULL, atomic, connect, patiently, translated, whole
from cortex.substrate.statements import run

if TYPE_CHECKING:
    from cortex.substrate.encoder import Encoder, Reranker

SCHEMA_VERSION: Final = 24
APPLICATION_ID: Final = 0x43525458  # 'CRTX', so that `file brain.db` and we know our own
_COUNTS: Final = ("page_size", "page_count", "freelist_count")
SETTLING: Final = 40  # times that `Brain.settle` tries: two seconds, beyond which a reader is one that reads for long
STEPS: Final = 10_000  # instructions of SQLite between two looks at whether it is late: less than a millisecond
FEW_PAGES: Final = 1000  # what the log may hold; SQLite itself does nothing about fewer

_FORMAT: Final = slice(18, 20)  # of the header: 2 and 2 where the journal is a WAL; https://sqlite.org/fileformat2.html


class Brain:
    """An open database and where it is.

    Attributes:
        db: the connection; autocommit, so a write that is not in `transaction()` stands alone.
        path: the file.
        read_only: asking never writes, and never waits for a writer.
    """

    def __init__(self, db: sqlite3.Connection, path: Path, *, read_only: bool) -> None:
        self.db, self.path, self.read_only = db, path, read_only
        self._is_late: Callable[[], bool] | None = None
        self._find_encoder: Callable[[], Encoder | None] = lambda: None
        self._find_reranker: Callable[[], Reranker | None] = lambda: None
        self._counted: dict[str, Any] = {}
        self._counted_at = (0, 0)
        self._source: int | None = None
        self._check: Callable[[Brain], None] = lambda _: None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def encoder(self) -> Encoder | None:
        """What turns texts into vectors; None where none is installed."""
        return self._find_encoder()

    @property
    def reranker(self) -> Reranker | None:
        """What scores texts as answers to a question; None where no model is named."""
        return self._find_reranker()

    def encoding(
        self, find: Callable[[], Encoder | None], find_reranker: Callable[[], Reranker | None] = lambda: None
    ) -> Self:
        """This brain, with what finds its encoder and its re-ranker when they are needed."""
        self._find_encoder, self._find_reranker = find, find_reranker
        return self

    @property
    def stemmer(self) -> Stemmer:
        """What stems the words of questions and rows: this thread's own."""
        return stemmer()

    def close(self) -> None:
        """Let go of the file; the brain cannot be used afterwards."""
        self.db.close()

    def define(self, **functions: Callable[..., Any]) -> None:
        """Let SQL call these functions, which give the same for the same, by these names."""
        for name, function in functions.items():
            self.db.create_function(name, len(signature(function).parameters), function, deterministic=True)

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """All or nothing: commits at the end, rolls back on any exception.

        Raises:
            BrainBusy: another writer held the lock for longer than the busy timeout.
            BrainUnwritable: the file takes no writes.
            DiskFull: there is no room for what is written.
        """
        with atomic(self.db, self.path):
            self._check(self)
            yield self.db

    def leasing(self) -> AbstractContextManager[sqlite3.Connection]:
        """A transaction that writes to queues and nothing else: it waits for no writer of rows. A file has one lock."""
        return atomic(self.db, self.path)

    @contextmanager
    def confined(self, source_id: int | None) -> Iterator[None]:
        """Transactions inside write rows of one source, so that writers of others need not wait; of any where None."""
        before, self._source = self._source, source_id
        try:
            yield
        finally:
            self._source = before

    def numbering(self, table: str) -> None:
        """Have nobody else number rows of *table* until this transaction ends. A file has one writer."""

    def announce(self, channel: str) -> None:
        """Wake those who wait at *channel*, once the transaction is committed. Of a file nobody hears anything."""

    def wait(self, channel: str, seconds: float) -> bool:  # noqa: ARG002  where nobody announces anything
        """Whether something may have been announced at *channel* within so many *seconds*: it returns at once then."""
        sleep(seconds)
        return True

    def fenced(self, check: Callable[[Brain], None]) -> Self:
        """This brain, each of whose transactions begins with *check*, which raises where its writer lost its lease."""
        self._check = check
        return self

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """All that is read inside is of one moment, whoever writes meanwhile."""
        if self.db.in_transaction:
            yield
            return
        self.db.execute("begin")
        try:
            yield
        finally:
            self.db.execute("rollback")

    def restrict(self, sources: Collection[int] | None) -> None:
        """Have the server show rows of these sources alone, by their ids; of all where None. A file has no server."""

    @property
    def is_secured(self) -> bool:
        """Whether `restrict` does what it can."""
        return True

    def unrestricted(self) -> AbstractContextManager[None]:
        """What is read inside is of every source."""
        return nullcontext()

    def about(self, source_id: int) -> AbstractContextManager[None]:  # noqa: ARG002  a file holds all rows together
        """What names rows by their numbers inside is about this source alone."""
        return nullcontext()

    @contextmanager
    def reading(self, statement: str, parameters: Sequence[object] = ()) -> Iterator[sqlite3.Cursor]:
        """The rows of a statement that gives many: they are fetched as they are read."""
        yield self.db.execute(statement, parameters)

    @contextmanager
    def until(self, is_late: Callable[[], bool]) -> Iterator[None]:
        """SQL that runs inside is interrupted once *is_late*, or what one around it asks.

        Raises:
            sqlite3.OperationalError: SQLITE_INTERRUPT, it was.
        """
        outer = self._is_late
        self._is_late = (lambda: is_late() or outer()) if outer else is_late
        self.db.set_progress_handler(self._is_late, STEPS)
        try:
            yield
        finally:
            self._is_late = outer
            self.db.set_progress_handler(outer, STEPS)

    def settle(self) -> None:
        """Move what was written from the log into the file, as soon as nobody reads what stood before it.

        After a large transaction that matters: until then each reader looks every page up in the log. Where the file
        has no room to grow the log keeps it, and nothing is lost.
        """
        with suppress(DiskFull), translated(self.path):
            for _ in range(SETTLING):
                _, logged, moved = self.db.execute("pragma wal_checkpoint(passive)").fetchone()
                if logged - moved < FEW_PAGES:
                    return
                sleep(0.05)

    @property
    def data_version(self) -> int:
        """A number that another one follows when somebody else has written."""
        return int(self.db.execute("pragma data_version").fetchone()[0])

    def counted(self) -> dict[str, Any]:
        """What was counted in the rows, by a key of who counts it; empty once anybody has written."""
        at = (self.data_version, self.db.total_changes)
        if at != self._counted_at:
            self._counted, self._counted_at = {}, at
        return self._counted

    @property
    def lost(self) -> bool:
        """Whether its connection is no more, such as after a server was started anew."""
        return False

    @property
    def schema_version(self) -> int:
        """Of which schema its tables are."""
        return int(self.db.execute("pragma user_version").fetchone()[0])

    @property
    def bytes_held(self) -> int:
        """How much room it takes, without its log."""
        asked = "select page_count * page_size from pragma_page_count, pragma_page_size"
        return int(self.db.execute(asked).fetchone()[0])

    def give_back(self) -> int:
        """Make a file of which more than half holds nothing as small as what it holds; by how many bytes."""
        before = self.path.stat().st_size
        page, pages, free = (self.db.execute(f"pragma {name}").fetchone()[0] for name in _COUNTS)
        if 2 * (before - page * (pages - free)) <= before:
            return 0
        with translated(self.path):
            self.db.execute("vacuum")
            self.db.execute("pragma wal_checkpoint(truncate)")
        return max(0, before - self.path.stat().st_size)

    def broken(self) -> Iterator[tuple[str, str]]:
        """Tables whose pages or references do not hold, and what of them does not."""
        for (problem,) in self.db.execute("pragma quick_check"):
            if problem != "ok":
                yield "pages", problem
        for table, row, parent, _ in self.db.execute("pragma foreign_key_check"):
            which = "a row" if row is None else f"row {row}"  # tables without rowid have no number to tell
            yield table, f"{which} refers to no row of {parent}"

    @contextmanager
    def roomy(self, cache_kib: int) -> Iterator[None]:
        """SQLite may keep so much of the file in memory inside."""
        (before,) = self.db.execute("pragma cache_size").fetchone()
        self.db.execute(f"pragma cache_size = -{cache_kib}")
        try:
            yield
        finally:
            self.db.execute(f"pragma cache_size = {before}")

    def copy(self) -> Brain:
        """A copy for trying something out, which goes away when it is closed."""
        db = sqlite3.connect("", isolation_level=None)
        self.db.backup(db)
        db.execute("pragma foreign_keys = on")
        return Brain(db, self.path, read_only=False)

    def reader(self) -> Brain:
        """A second, read-only connection to the same file, for another thread."""
        return open_brain(self.path, read_only=True)


def open_brain(
    path: Path | str, *, read_only: bool = False, make: bool = True, migrate: bool = True,
    patience_s: float = BUSY_TIMEOUT_S,
) -> Brain:  # fmt: skip
    """Open the brain at *path*; a writer makes the file and brings it to the newest schema.

    Args:
        make: whether a writer may make it where there is no file; an empty one is what was lost of another.
        migrate: whether a reader may have a writer bring an older brain to the newest schema first: after an upgrade
            the first question is answered.
        patience_s: how long it waits for whoever holds the lock.

    Raises:
        BrainMissing: there is an empty file; or none, and it is read-only or not to be made.
        BrainTooNew: a later Cortex wrote it; it is left untouched.
        BrainTooOld: read-only, and an older Cortex wrote it; it takes no writes, or is not to be migrated.
        NotABrain: it is no SQLite database, or another program's.
        BrainDamaged: it was a brain, and parts of it cannot be read.
        BrainUnwritable: the file or its folder takes no writes.
        DiskFull: there is no room to make or migrate it.
    """
    path = path if isinstance(path, Path) else located(path, Path("~/.cortex"))
    if getattr(path, "url", ""):
        try:
            from cortex.substrate.postgres.brain import open_postgres  # noqa: PLC0415  an extra
        except ModuleNotFoundError as error:
            raise MissingExtra("postgres", "a brain at a postgresql:// address") from error
        return open_postgres(path, read_only=read_only, make=make)
    if path.is_dir():
        raise NotABrain(path, "it is a folder")
    if make and not read_only and not path.exists():
        with translated(path):
            _make(path)
    if not (path.is_file() and path.stat().st_size):
        raise BrainMissing(path)
    with translated(path):
        db = connect(path, patience_s, read_only=read_only)
        try:
            version = _version_of_ours(db, path)
            if version < SCHEMA_VERSION:
                if read_only:
                    _have_migrated(path, version, allowed=migrate)
                else:
                    _bring_up_to_date(db)
            db.execute("select 1 from records limit 0")  # which reads the schema: one that is damaged is told here
        except BaseException:
            db.close()
            raise
    return Brain(db, path, read_only=read_only)


def _make(path: Path) -> None:
    """Create a brain of the newest schema, whole: a kill leaves no part of one; of several processes one makes it.

    Raises:
        BrainUnwritable: the folder takes no file.
        DiskFull: there is no room for it.
    """
    file = Path(os.path.realpath(path))
    try:
        with locked(file.parent):
            if file.exists():
                return
            image = _image()
            for end in ("-wal", "-shm", "-journal"):  # a lost brain's, which SQLite would read into this one
                file.with_name(file.name + end).unlink(missing_ok=True)
            write_file(file, image, private=True)
    except NotKept as error:
        refused = DiskFull if getattr(error.__cause__, "errno", 0) in FULL else BrainUnwritable
        raise refused(path, error.problem) from error


@cache
def _image() -> bytes:
    """A brain of the newest schema that holds nothing, as its file; a process migrates once, however many it makes."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as db:
        _bring_up_to_date(db)
        image = bytearray(db.serialize())
    image[_FORMAT] = b"\2\2"
    return bytes(image)


def _have_migrated(path: Path, version: int, *, allowed: bool) -> None:
    """Have a writer bring the brain to the newest schema.

    Raises:
        BrainTooOld: it takes no writes, or that is not *allowed*.
    """
    refusal = BrainTooOld(path, found=version, known=SCHEMA_VERSION)
    if not allowed:
        raise refusal
    try:
        open_brain(path).close()
    except (BrainUnwritable, DiskFull) as error:
        raise refusal from error


def _version_of_ours(db: sqlite3.Connection, path: Path) -> int:
    """The schema of the brain in *db*."""
    (version,) = db.execute("pragma user_version").fetchone()
    (application,) = db.execute("pragma application_id").fetchone()
    if application != APPLICATION_ID:
        raise NotABrain(path, "it is another program's database")
    if version > SCHEMA_VERSION:
        raise BrainTooNew(path, found=version, known=SCHEMA_VERSION)
    return int(version)


def _bring_up_to_date(db: sqlite3.Connection) -> None:
    """Migrate, all or nothing; of several processes that do so at once one does it and the others wait."""
    from cortex.substrate.migrations import migrate  # noqa: PLC0415  sqlite-utils takes 0.1 s to import

    patiently(db, "pragma journal_mode = wal", BUSY_TIMEOUT_S)  # for which SQLite itself does not wait
    db.execute("pragma foreign_keys = off")  # a table that is made anew must not take along what refers to it
    try:
        with whole(db):
            db.execute(f"pragma application_id = {APPLICATION_ID}")
            migrate(db)
    finally:
        db.execute("pragma foreign_keys = on")


def write(brain: Brain, name: str, /, **values: object) -> int:
    """As `run` does, in a transaction of its own; how many rows it changed."""
    with brain.transaction():
        return run(brain, name, **values).rowcount
