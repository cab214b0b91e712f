"""When a compaction is due, and that it runs once: whoever claims the day in the brain runs it.

No clock here: a scheduler, a timer and a test say what time it is. What matters is the day by the local clock: a
day that has no 02:30, one that has it twice, a machine that slept through it and two schedulers all end with one run.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from typing import Final, NamedTuple, TypeVar

from cortex.substrate.brain import Brain
from cortex.substrate.sources import timestamp

OVERDUE: Final = timedelta(hours=36)
"""Since the last compaction: a night was missed, and the morning after."""

Outcome = TypeVar("Outcome")


class Due(NamedTuple):
    """One night's compaction: the day by the local clock, and the moment it falls due."""

    day: date
    at: datetime


def last_due(now: datetime, at: time, zone: tzinfo | None = None) -> Due:
    """The latest compaction that is due at *now*.

    Args:
        zone: whose clock *at* is read from; None is the machine's. A time that a day does not have is as much later.
    """
    today = now.astimezone(zone).date()
    days = (today - timedelta(days=back) for back in range(3))
    return next(due for day in days if (due := Due(day, _moment(day, at, zone))).at <= now)


def next_due(now: datetime, at: time, zone: tzinfo | None = None) -> Due:
    """The first compaction that falls due after *now*."""
    today = now.astimezone(zone).date()
    days = (today + timedelta(days=ahead) for ahead in range(-1, 3))
    return next(due for day in days if (due := Due(day, _moment(day, at, zone))).at > now)


def _moment(day: date, at: time, zone: tzinfo | None) -> datetime:
    local = datetime.combine(day, at)
    return (local if zone is None else local.replace(tzinfo=zone)).astimezone(UTC)


def run_if_due(
    brain: Brain, run: Callable[[], Outcome], *, at: time, zone: tzinfo | None = None, now: datetime
) -> Outcome | None:
    """What *run* returns, when the compaction of the day is due and nobody else has claimed it; else None.

    Nights that were slept through are made up for by one run, not by one each.
    """
    due = last_due(now, at, zone)
    return run() if claim(brain, due.day, now=now) else None


def claim(brain: Brain, day: date, *, now: datetime) -> bool:
    """Whether the compaction of *day* is now the caller's to run; it is nobody else's then."""
    known = "select 1 from compactions where day >= ?"
    if brain.db.execute(known, (day.isoformat(),)).fetchone():
        return False
    with brain.transaction() as db:
        claimed = db.execute(
            "insert into compactions (day, claimed_at) select ?1, ?2"
            " where not exists (select 1 from compactions where day >= ?1)",
            (day.isoformat(), timestamp(now)),
        )
        return claimed.rowcount == 1


def last_compaction(brain: Brain) -> datetime | None:
    """When the last compaction was done; None when there was none."""
    asked = "select max(finished_at) from runs where command = 'compact' and status = 'done'"
    (finished,) = brain.db.execute(asked).fetchone()
    return datetime.fromisoformat(finished) if finished else None


def overdue(brain: Brain, *, now: datetime) -> bool:
    """Whether a compaction should have been by now: none for 36 hours, though there are facts of then."""
    last = last_compaction(brain)
    if last is None:
        (first,) = brain.db.execute("select min(started_at) from runs where command = 'index'").fetchone()
        last = datetime.fromisoformat(first) if first else now
    return now - last > OVERDUE
