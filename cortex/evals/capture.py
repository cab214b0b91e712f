"""Capture: questions, rows retrieved and answers, kept only where somebody switched it on; and how rows are used."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, Final

from pydantic import Field

from cortex.evals.asking import Retrieved
from cortex.evals.ledger import Ledger, sql
from cortex.substrate.brain import Brain
from cortex.substrate.model import Answer, Scope, Value
from cortex.substrate.secrets import redact
from cortex.substrate.sources import timestamp

DAYS: Final = 90  # how long a captured question is kept unless somebody says otherwise


class Captured(Value):
    """A question as it was asked, and what came of it."""

    id: int
    asked_at: datetime
    question: str
    sources: tuple[str, ...] | None = Field(description="those asked for; none is every federated one")
    composer: str
    refused: bool
    answer: str
    citations: tuple[Retrieved, ...]
    retrieved: tuple[Retrieved, ...] = Field(description="best first")
    timings_ms: Mapping[str, float]
    useful: bool | None = Field(description="none: nobody said")
    note: str

    @property
    def scope(self) -> Scope:
        """What was read for it."""
        return Scope(sources=self.sources)


class CaptureStatus(Value):
    """Whether questions are captured, and what is kept."""

    on: bool
    since: datetime | None
    days: int = Field(description="how long each is kept")
    questions: int
    refused: int
    useful: int
    not_useful: int


def switch(ledger: Ledger, *, on: bool, days: int | None = None, now: datetime) -> CaptureStatus:
    """Capture from now on, or no longer; what was captured stays until it is too old."""
    with ledger.transaction() as db:
        if on:
            db.execute("insert into settings values ('capture_since', ?) on conflict do nothing", (timestamp(now),))
        else:
            db.execute("delete from settings where name = 'capture_since'")
        if days is not None:
            db.execute("insert or replace into settings values ('capture_days', ?)", (str(days),))
        _forget_old(db, now)
    return capture_status(ledger)


def is_on(ledger: Ledger) -> bool:
    """Whether questions are captured."""
    return _setting(ledger.db, "capture_since") is not None


def capture_status(ledger: Ledger) -> CaptureStatus:
    """Whether questions are captured, since when, and how many are kept."""
    since = _setting(ledger.db, "capture_since")
    counts = ledger.db.execute(sql("count_captures")).fetchone()
    questions, refused, useful, not_useful = (int(count or 0) for count in counts)
    return CaptureStatus(
        on=since is not None, since=datetime.fromisoformat(since) if since else None, days=_days(ledger.db),
        questions=questions, refused=refused, useful=useful, not_useful=not_useful,
    )  # fmt: skip


def forget(ledger: Ledger) -> int:
    """Delete every captured question and every count of use; how many questions there were."""
    with ledger.transaction() as db:
        deleted = db.execute("delete from captures").rowcount
        db.execute("delete from usage")
    return deleted


def capture(ledger: Ledger, answer: Answer, *, retrieved: Sequence[Retrieved], scope: Scope, now: datetime) -> int:
    """Keep *answer* and what was retrieved for it, without secrets; its number. Questions too old are let go.

    The rows it retrieved and cited are counted as used.
    """
    cited = [
        Retrieved(ref=one.handle, record=one.record.ref, title=one.record.title, source=one.source)
        for one in answer.citations
    ]
    with ledger.transaction() as db:
        cursor = db.execute(
            sql("capture"),
            {
                "asked_at": timestamp(now), "question": redact(answer.question),
                "sources": None if scope.sources is None else json.dumps(scope.sources), "composer": answer.composer,
                "refused": answer.refused, "answer": redact(answer.answer), "citations": _listed(cited),
                "retrieved": _listed(retrieved), "timings_ms": json.dumps(dict(answer.timings_ms)),
            },
        )  # fmt: skip
        _count_use(db, "count_retrieved", retrieved, now)
        _count_use(db, "count_cited", cited, now)
        _forget_old(db, now)
    return int(cursor.lastrowid or 0)


def judge_useful(ledger: Ledger, *, useful: bool, id_: int | None = None, note: str = "", now: datetime) -> int | None:
    """Keep whether the answer to question *id_*, by default the last, was of use; its number, None if there is none.

    The same again changes nothing; the other judgement replaces it.
    """
    row = ledger.db.execute("select max(id) from captures where id = coalesce(?, id)", (id_,)).fetchone()
    if row[0] is None:
        return None
    with ledger.transaction() as db:
        values = (useful, timestamp(now), redact(note), row[0])
        db.execute("update captures set useful = ?, useful_at = ?, note = ? where id = ?", values)
    return int(row[0])


def captured(ledger: Ledger, *, limit: int | None = None) -> list[Captured]:
    """The captured questions, the latest first."""
    cursor = ledger.db.execute(sql("captured"), {"limit": -1 if limit is None else limit})
    columns = [column[0] for column in cursor.description]
    return [_captured(dict(zip(columns, row, strict=True))) for row in cursor]


def _captured(row: Mapping[str, Any]) -> Captured:
    parsed = {name: json.loads(row[name]) for name in ("citations", "retrieved", "timings_ms")}
    parsed["sources"] = None if row["sources"] is None else json.loads(row["sources"])
    return Captured.model_validate({**row, **parsed})


def _listed(rows: Iterable[Retrieved]) -> str:
    kept = [row.model_dump() | {"title": redact(row.title)} for row in rows]
    return json.dumps(kept, ensure_ascii=False)


def _count_use(db: sqlite3.Connection, statement: str, rows: Iterable[Retrieved], now: datetime) -> None:
    used = dict.fromkeys((row.source, row.record) for row in rows)
    db.executemany(sql(statement), [{"source": source, "ref": ref, "now": timestamp(now)} for source, ref in used])


def _forget_old(db: sqlite3.Connection, now: datetime) -> None:
    db.execute("delete from captures where asked_at < ?", (timestamp(now - timedelta(days=_days(db))),))


def _days(db: sqlite3.Connection) -> int:
    return int(_setting(db, "capture_days") or DAYS)


def _setting(db: sqlite3.Connection, name: str) -> str | None:
    row = db.execute("select value from settings where name = ?", (name,)).fetchone()
    return row[0] if row else None


UNUSED_DAYS: Final = 180
MOST: Final = 5


class Cited(Value):
    """A record and how often answers cited it."""

    source: str
    ref: str
    cited: int
    last_cited_at: datetime


class Usage(Value):
    """What questions made of a brain while they were captured."""

    since: datetime | None = Field(description="when capture was switched on; none while it is off")
    most_cited: tuple[Cited, ...]
    records: int
    never_retrieved: int | None = Field(description="records no question found in 180 days; none: capture is younger")


def usage(ledger: Ledger, brain: Brain, *, now: datetime, limit: int = MOST) -> Usage:
    """How *brain* has been used, as far as *ledger* saw it."""
    since = capture_status(ledger).since
    old_enough = since is not None and since <= now - timedelta(days=UNUSED_DAYS)
    held = brain.db.execute(
        "select s.name, r.ref from records r join sources s on s.id = r.source_id where r.gone_at is null"
    ).fetchall()
    cited = ledger.db.execute(sql("most_cited"), {"limit": limit})
    return Usage(
        since=since,
        most_cited=tuple(Cited(source=row[0], ref=row[1], cited=row[2], last_cited_at=row[3]) for row in cited),
        records=len(held),
        never_retrieved=len(set(held) - _found_since(ledger, now)) if old_enough else None,
    )


def _found_since(ledger: Ledger, now: datetime) -> set[tuple[str, str]]:
    start = timestamp(now - timedelta(days=UNUSED_DAYS))
    return set(ledger.db.execute("select source, ref from usage where last_retrieved_at >= ?", (start,)))
