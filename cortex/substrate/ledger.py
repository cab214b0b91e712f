"""The ledger: a file of its own beside a brain, for what cannot be made again from the project's sources."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, Self

from cortex.errors import BrainTooNew, NotABrain
from cortex.substrate.sqlite.transactions import BUSY_TIMEOUT_S, atomic, translated
from cortex.substrate.statements import rows, run, script

Record = tuple[str, str]  # its source and its ref
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
        _migrate(db, path)
        path.chmod(0o600)  # it holds what people asked


def _migrate(db: sqlite3.Connection, path: Path) -> None:
    from cortex.substrate.migrations import split  # noqa: PLC0415  sqlite-utils takes 0.1 s to import

    with atomic(db, path):
        (version,) = db.execute("pragma user_version").fetchone()  # another process may have been faster
        for statement in (one for name in SCHEMA[version:] for one in split(script(f"ledger/{name}"))):
            db.execute(statement)
        db.execute(f"pragma user_version = {SCHEMA_VERSION}")
        db.execute(f"pragma application_id = {APPLICATION_ID}")


def setting(ledger: Ledger, name: str) -> str | None:
    """What is set under *name*; None where nothing is."""
    row = ledger.db.execute("select value from settings where name = ?", (name,)).fetchone()
    return row[0] if row else None


def change_setting(ledger: Ledger, name: str, value: str | None, *, over: bool = True) -> None:
    """Set *value* under *name*, in place of another only where that is to be set *over*; None unsets it."""
    if value is None:
        ledger.db.execute("delete from settings where name = ?", (name,))
    else:
        put = "insert or replace" if over else "insert or ignore"
        ledger.db.execute(f"{put} into settings values (?, ?)", (name, value))


def count_captures(ledger: Ledger) -> tuple[int, int, int, int]:
    """How many questions are kept, were refused, and have answers that were of use and that were not."""
    counted = "select count(*), total(refused), total(useful = 1), total(useful = 0) from captures"
    questions, refused, useful, not_useful = map(int, ledger.db.execute(counted).fetchone())
    return questions, refused, useful, not_useful


def captures(ledger: Ledger, *, limit: int | None, id_: int | None) -> list[dict[str, Any]]:
    """The captured questions by column, or that of one number, the latest first."""
    return rows(ledger, "ledger.captured", limit=-1 if limit is None else limit, id=id_)


def put_capture(ledger: Ledger, capture: Mapping[str, object], use: Mapping[str, Iterable[Record]], now: str) -> int:
    """Keep a question and what came of it, and count the records that were 'retrieved' and 'cited'; its number."""
    unsaid = {"useful": None, "judged_at": None, "note": ""}
    id_ = int(run(ledger, "ledger.capture", **unsaid, **capture).lastrowid or 0)
    for how, records in use.items():
        for source, ref in records:
            run(ledger, "ledger.count_use", source=source, ref=ref, cited=how == "cited", now=now)
    return id_


def put_judgement(ledger: Ledger, judged: Mapping[str, object]) -> None:
    """Keep what somebody said of an answer, with the question where it is not kept."""
    with ledger.transaction():
        if not run(ledger, "ledger.judge_capture", **judged).rowcount:
            run(ledger, "ledger.capture", **judged)


def forget_captures(ledger: Ledger, *, before: str | None = None) -> int:
    """Delete the questions asked before a time, or all with every count of use; how many questions there were."""
    if before is None:
        ledger.db.execute("delete from usage")
    return ledger.db.execute("delete from captures where ?1 is null or asked_at < ?1", (before,)).rowcount


def most_cited(ledger: Ledger, *, limit: int) -> list[dict[str, Any]]:
    """The records that answers cited most often: source, ref, how often and when last."""
    return rows(ledger, "ledger.most_cited", limit=limit)


def retrieved_since(ledger: Ledger, start: str) -> set[Record]:
    """Source and ref of the records that questions found at *start* or later."""
    return {*ledger.db.execute("select source, ref from usage where last_retrieved_at >= ?", (start,))}


def put_run(ledger: Ledger, done: Mapping[str, object], results: Iterable[Mapping[str, object]]) -> int:
    """Keep a run of a suite and its results in their order; its number.

    Args:
        results: 'case_text' and 'answer_text' of each, as texts, are kept once however many runs share them.
    """
    with ledger.transaction() as db:
        id_ = int(run(ledger, "ledger.keep_run", **done).lastrowid or 0)
        for place, one in enumerate(results):
            texts = {name: _put_text(db, str(one[name])) for name in ("case_text", "answer_text")}
            run(ledger, "ledger.keep_result", **{**one, **texts}, run_id=id_, place=place)
    return id_


def _put_text(db: sqlite3.Connection, text: str) -> int:
    digest = hashlib.sha256(text.encode()).hexdigest()
    db.execute("insert into eval_texts (digest, content) values (?, ?) on conflict do nothing", (digest, text))
    return int(db.execute("select id from eval_texts where digest = ?", (digest,)).fetchone()[0])


def results_of_runs(ledger: Ledger, *, suite: str | None) -> list[tuple[int, str, str, str]]:
    """Run, case, category and verdict of every result of a suite, or of all, in the order of the suite."""
    return run(ledger, "ledger.results_of_runs", suite=suite).fetchall()


def runs_of_suite(ledger: Ledger, *, suite: str | None) -> list[dict[str, Any]]:
    """The runs of a suite, or of all, by column, the oldest first."""
    return rows(ledger, "ledger.runs_of_suite", suite=suite)
