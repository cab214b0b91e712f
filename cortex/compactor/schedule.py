"""When a compaction is due, and that it runs once: whoever claims the day in the brain runs it.

No clock here: a scheduler, a timer and a test say what time it is. What matters is the day by the local clock: a
day that has no 02:30, one that has it twice, a machine that slept through it and two schedulers all end with one run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from typing import Final, NamedTuple, TypeVar

from cortex.compactor.run import CLEANING
from cortex.errors import BrainBusy, BrainUnwritable, DiskFull
from cortex.substrate import status, tasks
from cortex.substrate.brain import Brain

OVERDUE: Final = timedelta(hours=36)  # since the last compaction: a night was missed, and the morning after
LEASE: Final = timedelta(minutes=5)  # that a claim stands without a run, where nobody can say whether its holder lives
LONGEST: Final = timedelta(hours=3)
"""That a run takes; one that says it is running for longer was killed, or is not what its holder does."""

AHEAD: Final = timedelta(hours=1)
"""That the clock of another machine may be ahead; what is later was dated by a wrong one, and tells nothing."""

Outcome = TypeVar("Outcome")


class Holder(NamedTuple):
    """Who claims a night.

    Attributes:
        name: 'host:pid'; empty for who does not say.
        alive: whether another holder may still be at work; true where nobody can say.
    """

    name: str = ""
    alive: Callable[[str], bool] = lambda _: True


SOMEBODY: Final = Holder()


class Due(NamedTuple):
    """One night's compaction: the day by the local clock, and the moment it falls due."""

    day: date
    at: datetime


def last_due(now: datetime, at: time, zone: tzinfo | None = None) -> Due:
    """The latest compaction that is due at *now*.

    Args:
        zone: whose clock *at* is read from; None is the machine's. A time that a day does not have is as much later.
    """
    return [due for due in _dues(now, at, zone) if due.at <= now][-1]


def next_due(now: datetime, at: time, zone: tzinfo | None = None) -> Due:
    """The first compaction that falls due after *now*."""
    return next(due for due in _dues(now, at, zone) if due.at > now)


def _dues(now: datetime, at: time, zone: tzinfo | None) -> Iterator[Due]:
    """Those of the days around *now*, in their order."""
    for days in range(-2, 3):
        local = datetime.combine(now.astimezone(zone).date() + timedelta(days), at)
        yield Due(local.date(), (local if zone is None else local.replace(tzinfo=zone)).astimezone(UTC))


def run_if_due(
    brain: Brain,
    run: Callable[[], Outcome],
    *,
    at: time,
    zone: tzinfo | None = None,
    claims: bool = True,
    holder: Holder = SOMEBODY,
    now: datetime,
) -> Outcome | None:
    """What *run* returns, when the compaction of the day is due and nobody else has claimed it; else None.

    Nights that were slept through are made up for by one run, not by one each. A run that fails gives its claim back.

    Args:
        claims: whether *run* is the compaction of the day; a rehearsal or a part of one leaves it to be done.
    """
    day = last_due(now, at, zone).day
    if not claims:
        return None if _standing(brain, day, holder, now) else run()
    if not claim(brain, day, holder=holder, now=now):
        return None
    try:
        return run()
    except BaseException:
        with suppress(BrainUnwritable, BrainBusy, DiskFull):
            status.release_day(brain, day, claimed_at=now)
        raise


def claim(brain: Brain, day: date, *, holder: Holder = SOMEBODY, now: datetime) -> bool:
    """Whether the compaction of *day* is now the caller's to run; it is nobody else's then.

    A claim stands no longer when its holder is dead or is the one that asks, as one runs one at a time; where nobody
    can say, without a run after `LEASE`, with an unfinished one after `LONGEST`.
    """
    if not _standing(brain, day, holder, now):
        with brain.transaction():
            if not _standing(brain, day, holder, now):
                status.claim_day(brain, day, by=holder.name, now=now)
                return True
    return False


def enqueue_night(brain: Brain, *, at: time, zone: tzinfo | None = None, holder: Holder, now: datetime) -> int:
    """Enqueue the compaction of each source where that of the day is due and nobody has claimed it; how many.

    Of several who do so at once one is the first to have the lock of the brain, and leads.
    """
    day = last_due(now, at, zone).day
    if not _standing(brain, day, holder, now):
        with brain.transaction():
            if not _standing(brain, day, holder, now):
                status.claim_day(brain, day, by=holder.name, now=now)
                return tasks.enqueue_night(brain, day, now=now)
    return 0


def _standing(brain: Brain, day: date, holder: Holder, now: datetime) -> bool:
    return status.claim_stands(
        brain, day, is_over=lambda name: name != "" and (name == holder.name or not holder.alive(name)),
        just_now=now - LEASE, lately=now - LONGEST, latest=now + AHEAD, jobs=len(CLEANING),
    )  # fmt: skip


def last_compaction(brain: Brain, *, now: datetime) -> datetime | None:
    """When every job was last done to every source, at once or one by one; None when that never was."""
    return status.last_compaction(brain, jobs=len(CLEANING), latest=now + AHEAD)


def overdue(brain: Brain, *, now: datetime) -> bool:
    """Whether a compaction should have been by now: none for 36 hours, though there are facts of then."""
    last = last_compaction(brain, now=now) or status.first_indexed(brain) or now
    return now - last > OVERDUE
