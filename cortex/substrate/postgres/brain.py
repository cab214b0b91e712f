"""A brain in a PostgreSQL database, that many machines share: one writes a source at a time, any number read."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from threading import Event, Thread
from typing import Any, Final, Self, cast

from cortex.errors import BrainMissing, BrainTooNew, BrainTooOld, NotABrain
from cortex.substrate.address import shown
from cortex.substrate.brain import APPLICATION_ID, SCHEMA_VERSION, Brain
from cortex.substrate.migrations import SCHEMA, migrate, split
from cortex.substrate.postgres import text_index
from cortex.substrate.postgres.connection import Connection, Numbers
from cortex.substrate.postgres.keys import PARENTS, REFERENCES
from cortex.substrate.sqlite.transactions import BUSY_TIMEOUT_S
from cortex.substrate.statements import script

LOOK_S: Final = 0.02  # between two looks at whether a reader is late
_FIRST: Final = ("sources", "records", "facts", "passages", "runs")
"""Tables that others refer to."""

_OF_THE_DATABASE: Final = ("excerpt_of",)
"""Functions that it has itself."""

_READER: Final = """
    select rolname from pg_roles where rolname = ('cortex_reader_' || current_database())::name
    and not rolsuper and not rolbypassrls and pg_has_role(oid, 'member')
    and has_schema_privilege(oid, 'cortex_sql', 'usage')
"""
_ALONE: Final = f"select pg_advisory_xact_lock({APPLICATION_ID})"
_BESIDE: Final = f"select pg_advisory_xact_lock_shared({APPLICATION_ID})"
"""Locks of a transaction: the first waits for every writer, the other only for one that has the first."""
_OF_SOURCE: Final = f"select pg_advisory_xact_lock({APPLICATION_ID}, ?::int4)"

_SHOW: Final = """
    select set_config(
        'cortex.sources', coalesce(?, (select repeat('1', coalesce(max(id), 0)::int4 + 1) from sources)), false
    )
"""
"""Marks sources, or all and what is of none, at place 0, such as a task whose source is not indexed yet."""

_STATE: Final = """
    select
        number,
        to_regproc('cortex_sql.source_of_record') is not null and to_regproc('cortex_sql.marked_sources') is not null
    from cortex_sql.version
"""
"""How many migrations of SQLite's it has, and whether keys and policies are those of today."""

_LEFT_OUT: Final = re.compile("_fts|_terms|term_frequencies|sqlite")
"""The full-text index of SQLite, and its own tables."""


class PostgresBrain(Brain):
    """As a brain in a file."""

    db: Any
    _reads: tuple[int, ...] | None = ()
    _is_limited = False

    def limit(self) -> Self:
        """Read as the role that row-level security holds for; where there is none, as the user.

        A plan is of no particular values: statements that answer a question take longer to plan than to run.
        """
        self.db.execute("set plan_cache_mode = force_generic_plan")
        for (reader,) in self.db.execute(_READER).fetchall():
            self.db.execute("select set_config('role', ?, false)", (reader,))
            self._is_limited = True
        return self

    @property
    def is_secured(self) -> bool:
        """Whether there is a role that readers take, for which the rows are secured by source."""
        return self.db.execute(_READER).fetchone() is not None

    def restrict(self, sources: Collection[int] | None) -> None:
        """As a file's; whatever a statement asks, the server shows a reader the rows of these sources alone."""
        if self._is_limited and (sources is None or (*sources,) != self._reads):
            self.db.execute(_SHOW, (None if sources is None else _marks(sources),))
        self._reads = None if sources is None else (*sources,)
        if self.read_only:
            self.db.scope = None if sources is None else Numbers(sources)

    @contextmanager
    def unrestricted(self) -> Iterator[None]:
        """As a file's."""
        before = self._reads
        self.restrict(None)
        try:
            yield
        finally:
            self.restrict(before)

    @contextmanager
    def about(self, source_id: int) -> Iterator[None]:
        """As a file's."""
        before, self.db.scope = self.db.scope, Numbers([source_id])
        try:
            yield
        finally:
            self.db.scope = before

    def define(self, **functions: Callable[..., Any]) -> None:
        """Let statements call these functions, by these names."""
        self.db.define({name: function for name, function in functions.items() if name not in _OF_THE_DATABASE})

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """As a file's: the lock is of the database, or of the source that it is confined to, and held until the end.

        Raises:
            BrainBusy: another writer held the lock for longer than the busy timeout.
        """
        with writing(self.db, source_id=self._source):
            self._check(self)
            yield self.db

    @contextmanager
    def leasing(self) -> Iterator[sqlite3.Connection]:
        """A transaction that writes to queues and nothing else: it waits for no writer of rows."""
        with writing(self.db, _BESIDE, indexed=False):
            yield self.db

    def numbering(self, table: str) -> None:
        """Have nobody else number rows of *table* until this transaction ends."""
        self.db.execute("select cortex_sql.number_alone(?)", (table,))

    def announce(self, channel: str) -> None:
        """Wake those who wait at *channel*, once the transaction is committed."""
        self.db.execute("select pg_notify(?, '')", (channel,))

    def wait(self, channel: str, seconds: float) -> bool:
        """Whether something was announced at *channel* within so many *seconds*: it returns at once then."""
        return bool(self.db.hear(channel, seconds))

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """All that is read inside is of one moment."""
        if self.db.in_transaction:
            yield
            return
        before = self._reads
        self.db.execute("begin isolation level repeatable read")
        try:
            yield
        finally:
            self.db.undo()
            reads, self._reads = self._reads, before  # which the server went back to
        self.restrict(reads)

    @contextmanager
    def reading(self, statement: str, parameters: Sequence[object] = ()) -> Iterator[sqlite3.Cursor]:
        """As a file's: the server keeps the rows, and gives a part at a time."""
        with self.db.reading(statement, parameters) as rows:
            yield rows

    @contextmanager
    def until(self, is_late: Callable[[], bool]) -> Iterator[None]:
        """SQL that runs inside is interrupted once *is_late*.

        Raises:
            Interrupted: it was.
        """
        done = Event()

        def watch() -> None:
            while not done.wait(LOOK_S):
                if is_late():
                    self.db.cancel()

        watching = Thread(target=watch, daemon=True)
        watching.start()
        try:
            yield
        finally:
            done.set()
            watching.join()

    def settle(self) -> None:
        """Nothing waits to be moved."""

    @property
    def data_version(self) -> int:
        """A number that another one follows when anybody has written."""
        return int(self.db.execute("select hashtext(cast(pg_current_snapshot() as text))").fetchone()[0])

    @property
    def lost(self) -> bool:
        """Whether the server went away."""
        return bool(self.db.lost)

    @property
    def schema_version(self) -> int:
        """Of which schema its tables are."""
        return _version(self.db) or 0

    @property
    def bytes_held(self) -> int:
        """How much room the database takes."""
        return int(self.db.execute("select pg_database_size(current_database())").fetchone()[0])

    def give_back(self) -> int:
        """Nothing: the server sees to its files."""
        return 0

    def broken(self) -> Iterator[tuple[str, str]]:
        """The server keeps references, and sees to its pages."""
        return iter(())

    @contextmanager
    def roomy(self, cache_kib: int) -> Iterator[None]:  # noqa: ARG002  the server has its own
        """The server has a memory of its own."""
        yield

    def copy(self) -> Brain:
        """This brain in a transaction of its own, which is taken back when it is closed."""
        copy = _Copy(cast("sqlite3.Connection", connect(self.path)), self.path, read_only=False)
        copy.db.execute("begin")
        return copy

    def reader(self) -> Brain:
        """A second connection, for another thread."""
        return open_postgres(self.path, read_only=True)


def _marks(sources: Collection[int]) -> str:
    """A '1' at the place of each of *sources*, '0' at the others.

    >>> _marks([1, 3])
    '0101'
    """
    marks = ["0"] * (1 + max(sources, default=0))
    for one in sources:
        marks[one] = "1"
    return "".join(marks)


class _Copy(PostgresBrain):
    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """A part of the transaction that the copy is."""
        self.db.execute("savepoint copied")
        try:
            yield self.db
            text_index.settle(self.db)
            self.db.execute("release savepoint copied")
        except BaseException:
            self.db.execute("rollback to savepoint copied")
            raise


@contextmanager
def writing(
    db: Connection, lock: str = _ALONE, *, source_id: int | None = None, indexed: bool = True
) -> Iterator[None]:
    """A transaction that begins after whoever writes the same now, and ends with the full-text index up to date.

    Args:
        source_id: all that it writes is of this source; other writers of it wait, and those of the whole brain.
    """
    db.execute("begin")
    try:
        db.execute(_BESIDE if source_id is not None else lock)
        if source_id is not None:
            db.execute(_OF_SOURCE, (source_id,))
        yield
        if indexed:
            text_index.settle(db)
        db.execute("commit")
    except BaseException:
        if db.in_transaction:
            db.execute("rollback")
        raise


def connect(path: Path) -> Connection:
    """A connection to the database at *path*."""
    return Connection(path.url, shown(path), patience_s=BUSY_TIMEOUT_S)  # type: ignore[attr-defined]


def open_postgres(path: Path, *, read_only: bool = False, make: bool = True) -> Brain:
    """Open the brain in the database at *path*; a writer makes it where there is none.

    Raises:
        BrainMissing: the database holds none, and it is read-only or not to be made.
        BrainTooNew: a later Cortex wrote it.
        BrainTooOld: an earlier Cortex wrote it.
        NotABrain: it holds tables of another program.
        ServerAway: the server does not answer.
    """
    db = connect(path)
    try:
        if not read_only and (_version(db) or 0) < SCHEMA_VERSION:
            _bring_up_to_date(db, path, make=make)
        _check(_version(db), path)
    except BaseException:
        db.close()
        raise
    if not read_only:
        path.parent.mkdir(parents=True, exist_ok=True)
    brain = PostgresBrain(cast("sqlite3.Connection", db), path, read_only=read_only)
    return brain.limit() if read_only else brain


def _check(version: int | None, path: Path) -> None:
    if version is None:
        raise BrainMissing(shown(path))
    if version != SCHEMA_VERSION:
        refusal = BrainTooNew if version > SCHEMA_VERSION else BrainTooOld
        raise refusal(shown(path), found=version, known=SCHEMA_VERSION)


def _version(db: Connection) -> int | None:
    """Of which schema its tables are, None where there are none.

    Of the one before, where keys or policies are as an earlier Cortex made them, or the text index is.
    """
    if db.execute("select to_regclass('cortex_sql.version')").fetchone()[0] is None:
        return None
    number, is_laid_out = db.execute(_STATE).fetchone()
    return int(number) - (not (is_laid_out and text_index.is_current(db)))


def _bring_up_to_date(db: Connection, path: Path, *, make: bool) -> None:
    """Create the tables of a brain, or migrate them, all or nothing; of several processes one does."""
    with writing(db, indexed=False):
        if _version(db) is not None:
            (version, _) = db.execute(_STATE).fetchone()
            for name in SCHEMA[version:]:
                for statement in split(script(name)):
                    db.execute(statement)
            db.script(script("numbering", "postgres"))
            db.execute("update cortex_sql.version set number = greatest(number, ?)", (SCHEMA_VERSION,))
            text_index.renew(db)
            _lead_with_sources(db)
            return
        if not make:
            raise BrainMissing(shown(path))
        if db.execute("select 1 from pg_tables where schemaname = 'public' limit 1").fetchone():
            raise NotABrain(shown(path), "its database holds tables of another program")
        db.script(script("functions", "postgres"))
        for statement in _schema():
            db.execute(statement)
        db.script(script("triggers", "postgres"))
        db.script(script("numbering", "postgres"))
        db.script(script("text_index_schema", "postgres/sql"))
        text_index.renew(db)
        db.execute("insert into cortex_sql.version values (?)", (SCHEMA_VERSION,))
        _lead_with_sources(db)


def _lead_with_sources(db: Connection) -> None:
    """Have keys lead with the source, and secure the rows by it."""
    for name, value in (("reference_tables", f"{{{','.join(REFERENCES)}}}"), ("parents", json.dumps(PARENTS))):
        db.execute("select set_config(?, ?, true)", (f"cortex.{name}", value))
    for name in ("keys", "security"):
        db.script(script(name, "postgres"))


def _schema() -> Iterator[str]:
    """The tables, indexes and views that the migrations make, as SQLite has them in the end."""
    asked = "select name, sql from sqlite_master where sql is not null and type <> 'trigger' order by rowid"
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as db:
        migrate(db)
        made = [(name, statement) for name, statement in db.execute(asked) if not _LEFT_OUT.search(name)]
    first = {name: place for place, name in enumerate(_FIRST)}
    for _, statement in sorted(made, key=lambda one: first.get(one[0], len(first))):
        yield re.sub(r"CREATE (UNIQUE )?(TABLE|INDEX|VIEW)", lambda begins: begins[0].lower(), statement)
