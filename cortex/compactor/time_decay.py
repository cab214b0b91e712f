"""Job 4: what nobody has touched for long is less sure, down to half of what it was."""

from __future__ import annotations

import sqlite3
from datetime import datetime
from functools import lru_cache
from time import perf_counter
from typing import Final

from cortex.compactor.exact_duplicates import WORTH
from cortex.compactor.job import JobReport, Work
from cortex.substrate.archive import begin_removal
from cortex.substrate.statements import sql

NAME: Final = "time_decay"
PERIOD_DAYS: Final = 90
RATE: Final = 0.90
FLOOR: Final = 0.5


def time_decay(work: Work) -> JobReport:
    """Give every fact the confidence of its age; from the original one, so that nightly runs never compound."""
    started = perf_counter()
    db = work.brain.db
    begin_removal(work.brain)
    add_fading(db)
    with work.transaction():
        looked_at = work.count()
        changed = db.execute(sql("find_faded"), work.values()).rowcount
        report = work.report(NAME, looked_at, changed, "fading")
        db.execute(sql("keep_confidence"), work.values())
        db.execute(sql("fade"))
    return work.finished(report, started)


def add_fading(db: sqlite3.Connection) -> None:
    """Give *db* the function `faded(kind, base_confidence, corroboration, touched_at, now)`."""
    db.create_function("faded", 5, faded, deterministic=True)


def faded(kind: str, base: float, corroboration: int, touched_at: str | None, now: str) -> float:
    """A fact's confidence at *now*: its own worn by age, and what corroborates it.

    >>> faded("decision", 0.8, 0, "2025-01-01T00:00:00Z", "2025-04-01T00:00:00Z")
    0.72
    >>> faded("decision", 0.8, 1, "2020-01-01T00:00:00Z", "2025-04-01T00:00:00Z")
    0.45
    """
    share = 1.0 if kind == "directive" or touched_at is None else _share(touched_at[:19], now[:19])
    return round(min(1.0, base * share + WORTH * corroboration), 6)


@lru_cache(maxsize=1 << 16)
def _share(touched_at: str, now: str) -> float:
    try:
        age = datetime.fromisoformat(now) - datetime.fromisoformat(touched_at)
    except ValueError:
        return 1.0
    periods = max(0, age.days) // PERIOD_DAYS
    return max(FLOOR, round(RATE**periods, 6))
