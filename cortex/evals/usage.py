"""Usage: which records answers cite most, and which no question has found for a long time."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from pydantic import Field

from cortex.evals.capture import capture_status
from cortex.evals.ledger import Ledger, sql
from cortex.substrate.brain import Brain
from cortex.substrate.model import Value
from cortex.substrate.sources import timestamp

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
