"""Capture: questions, rows retrieved and answers, kept only where somebody switched it on; and how rows are used."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final

from pydantic import Field, ValidationError

from cortex.evals.asking import Retrieved, cited_by
from cortex.substrate import ledger as store
from cortex.substrate.atomic_files import locked, write_file
from cortex.substrate.brain import Brain
from cortex.substrate.holdings import all_refs
from cortex.substrate.ledger import Ledger
from cortex.substrate.model import Answer, Scope, Value
from cortex.substrate.secrets import redact
from cortex.substrate.sources import timestamp

_JSON: Final = ("citations", "retrieved", "timings_ms", "sources")  # columns that hold it
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
    with ledger.transaction():
        store.change_setting(ledger, "capture_since", timestamp(now) if on else None, over=False)
        if days is not None:
            store.change_setting(ledger, "capture_days", str(days))
        _forget_old(ledger, now)
    return capture_status(ledger)


def is_on(ledger: Ledger) -> bool:
    """Whether questions are captured."""
    return store.setting(ledger, "capture_since") is not None


def capture_status(ledger: Ledger) -> CaptureStatus:
    """Whether questions are captured, since when, and how many are kept."""
    since = store.setting(ledger, "capture_since")
    questions, refused, useful, not_useful = store.count_captures(ledger)
    return CaptureStatus(
        on=since is not None, since=datetime.fromisoformat(since) if since else None, days=_days(ledger),
        questions=questions, refused=refused, useful=useful, not_useful=not_useful,
    )  # fmt: skip


def forget(ledger: Ledger, kept: Path) -> int:
    """Delete every captured question, every count of use and the file *kept*; how many questions there were."""
    kept.unlink(missing_ok=True)
    with ledger.transaction():
        return store.forget_captures(ledger)


def capture(ledger: Ledger, answer: Answer, *, retrieved: Sequence[Retrieved], scope: Scope, now: datetime) -> int:
    """Keep *answer* and what was retrieved for it, without secrets; its number. Questions too old are let go.

    The rows it retrieved and cited are counted as used.
    """
    cited = cited_by(answer)
    kept = {
        "asked_at": timestamp(now), "question": redact(answer.question),
        "sources": None if scope.sources is None else json.dumps(scope.sources), "composer": answer.composer,
        "refused": answer.refused, "answer": redact(answer.answer), "citations": _listed(cited),
        "retrieved": _listed(retrieved), "timings_ms": json.dumps(dict(answer.timings_ms)),
    }  # fmt: skip
    with ledger.transaction():
        use = {"retrieved": _records(retrieved), "cited": _records(cited)}
        id_ = store.put_capture(ledger, kept, use, timestamp(now))
        _forget_old(ledger, now)
    return id_


def judge_useful(
    ledger: Ledger, kept: Path, *, useful: bool, id_: int | None = None, note: str = "", now: datetime
) -> int | None:
    """Keep whether the answer to question *id_*, by default the last, was of use; its number, None if there is none.

    The same again changes nothing; the other judgement replaces it.

    Args:
        kept: the JSON lines file to write first; entries that are too old leave it.
    """
    if not (found := captured(ledger, limit=1, id_=id_)):
        return None
    judged = found[0].model_copy(update={"useful": useful, "note": redact(note)})
    with locked(kept.parent, private=True):
        told = judgements(kept, since=now - timedelta(days=_days(ledger)))
        lines = [one.model_dump_json() for one in [*(one for one in told if _name(one) != _name(judged)), judged]]
        write_file(kept, "".join(f"{line}\n" for line in lines), private=True)
    _judge(ledger, judged, now)
    return judged.id


def judgements(kept: Path, *, since: datetime) -> list[Captured]:
    """The judged questions in the file *kept*, asked at *since* or later."""
    found = []
    for line in kept.read_text("utf-8").splitlines() if kept.is_file() else ():
        with suppress(ValidationError):  # edited by hand
            found.append(Captured.model_validate_json(line))
    return [one for one in found if one.asked_at >= since]


def take_in(ledger: Ledger, kept: Path, *, now: datetime) -> None:
    """Restore judgements from the file *kept* that the ledger lacks."""
    told = judgements(kept, since=now - timedelta(days=_days(ledger)))
    held = {_name(one): (one.useful, one.note) for one in captured(ledger)} if told else {}
    for one in told:
        if held.get(_name(one)) != (one.useful, one.note):
            _judge(ledger, one, now)


def _judge(ledger: Ledger, judged: Captured, now: datetime) -> None:
    values = judged.model_dump(mode="json") | {"judged_at": timestamp(now), "asked_at": timestamp(judged.asked_at)}
    lists = {name: json.dumps(values[name], ensure_ascii=False) for name in _JSON if values[name] is not None}
    store.put_judgement(ledger, values | lists)


def _name(one: Captured) -> tuple[str, str]:
    return timestamp(one.asked_at), one.question


def captured(ledger: Ledger, *, limit: int | None = None, id_: int | None = None) -> list[Captured]:
    """The captured questions, or that of one number, the latest first."""
    rows = store.captures(ledger, limit=limit, id_=id_)
    return [
        Captured.model_validate({**row, **{name: json.loads(row[name]) for name in _JSON if row[name] is not None}})
        for row in rows
    ]


def _listed(rows: Iterable[Retrieved]) -> str:
    kept = [row.model_dump() | {"title": redact(row.title)} for row in rows]
    return json.dumps(kept, ensure_ascii=False)


def _records(rows: Iterable[Retrieved]) -> Iterable[tuple[str, str]]:
    return dict.fromkeys((row.source, row.record) for row in rows)


def _forget_old(ledger: Ledger, now: datetime) -> None:
    store.forget_captures(ledger, before=timestamp(now - timedelta(days=_days(ledger))))


def _days(ledger: Ledger) -> int:
    return int(store.setting(ledger, "capture_days") or DAYS)


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
    since, start = capture_status(ledger).since, now - timedelta(days=UNUSED_DAYS)
    held, old_enough = all_refs(brain), since is not None and since <= start
    return Usage(
        since=since,
        most_cited=tuple(Cited(**row) for row in store.most_cited(ledger, limit=limit)),
        records=len(held),
        never_retrieved=len(held - store.retrieved_since(ledger, timestamp(start))) if old_enough else None,
    )
