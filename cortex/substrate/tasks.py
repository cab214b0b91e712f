"""Tasks: operations that wait for any worker on any machine, one at a time of each source.

A worker leases a task, renews its lease while it works and ends it. Each lease raises the task's fence: every
transaction of the worker begins by proving that its lease stands, so that nothing a worker writes after another took
its task over is kept. A source has one task of a key: who asks twice for the same has it done once.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import date, datetime, timedelta
from typing import Any, Final, Literal, NamedTuple

from pydantic import Field

from cortex.errors import LeaseLost
from cortex.substrate.brain import Brain
from cortex.substrate.model import Scope, Value
from cortex.substrate.queue import LONGEST_LEASE_S
from cortex.substrate.secrets import redact
from cortex.substrate.sources import readable_or_all, timestamp
from cortex.substrate.statements import column, rows, run

State = Literal["dead", "failed", "leased", "pending", "paused", "cancelled", "done"]
Ended = Literal["done", "failed", "dead"]
OPEN: Final[tuple[State, ...]] = ("dead", "failed", "leased", "pending", "paused")
CHANNEL: Final = "cortex_tasks"


class Held(NamedTuple):
    """A task that belongs to one worker for a while.

    Attributes:
        fence: tells this lease of the task from any other.
        attempts: how often it was tried before, to an end.
        abandoned: how many leases in a row ended because their owner did not come back.
    """

    id: int
    source_id: int
    operation: str
    parameters: str
    fence: int
    attempts: int
    abandoned: int


class Task(Value):
    """An operation that waits for a worker, or had one."""

    id: int
    source: str = Field(description="'' where it is not known yet")
    operation: str
    key: str = Field(description="a source has one task of it")
    parameters: Mapping[str, Any]
    state: State
    wish: str = Field(description="what was asked for while a worker has it: pause, cancel, again")
    priority: int
    attempts: int = Field(description="that came to an end")
    error: str | None = Field(description="why the last attempt failed")
    progress: str = Field(description="what its worker is at")
    enqueued_at: datetime
    started_at: datetime | None
    finished_at: datetime | None
    not_before: datetime | None = Field(description="when a failed one is tried again")
    lease_owner: str | None = Field(description="the host and process at work on it")
    lease_until: datetime | None


def enqueue(
    brain: Brain, operation: str, *, source_id: int, key: str, parameters: Mapping[str, object] | None = None,
    priority: int = 0, once: bool = False, now: datetime,
) -> tuple[int, bool]:  # fmt: skip
    """The number of the task of this key, which is due, or will be tried again, and whether it was not before.

    Args:
        source_id: 0 where the source is not known yet.
        once: a task of this key that came to an end, or runs, is not due again.
    """
    named = {"source_id": source_id, "key": key}
    with brain.leasing():
        run(brain, "tasks.settle_source", **named)
        known = run(brain, "tasks.known", **named).fetchone()
        if known and (once or known[1] in ("pending", "failed")):
            return known[0], False
        values = {"operation": operation, "parameters": json.dumps(parameters or {}), "priority": priority}
        (task,) = run(brain, "tasks.enqueue", **named, **values, now=timestamp(now)).fetchone()
        brain.announce(CHANNEL)
    return task, True


def enqueue_night(brain: Brain, day: date, *, now: datetime) -> int:
    """Enqueue the compaction of each source in the night of *day*, once; how many. Call it inside a transaction."""
    brain.announce(CHANNEL)
    return run(brain, "tasks.enqueue_night", day=day.isoformat(), now=timestamp(now)).rowcount


def lease(brain: Brain, *, owner: str, lease_s: float, operation: str | None = None, now: datetime) -> Held | None:
    """Take the most urgent due task, of an *operation* or of any, for *lease_s* seconds; None where none is due."""
    until, latest = (timestamp(now + timedelta(seconds=seconds)) for seconds in (lease_s, LONGEST_LEASE_S))
    with brain.leasing():
        values = {"owner": owner, "until": until, "latest": latest, "operation": operation, "now": timestamp(now)}
        found = run(brain, "tasks.lease", **values).fetchone()
    return Held(*found) if found else None


def prove(held: Held, brain: Brain) -> None:
    """Nothing while the lease stands; nobody takes it over before the transaction ends that *brain* is in.

    Raises:
        LeaseLost: another took the task over, or it is no more.
    """
    if not run(brain, "tasks.holds", id=held.id, fence=held.fence).fetchone():
        raise LeaseLost(held.id)


def renew(brain: Brain, held: Held, *, lease_s: float, progress: str, now: datetime) -> str:
    """Keep the lease for *lease_s* more seconds; what somebody wished meanwhile: pause, cancel, again, ''.

    Raises:
        LeaseLost: another took the task over, or it is no more.
    """
    until = timestamp(now + timedelta(seconds=lease_s))
    with brain.leasing():
        found = run(brain, "tasks.renew", id=held.id, fence=held.fence, until=until, progress=progress).fetchone()
    if not found:
        raise LeaseLost(held.id)
    return str(found[0])


def finish(
    brain: Brain, held: Held, state: Ended, *, error: str | None = None, after_s: float = 0,
    now: datetime,
) -> bool:  # fmt: skip
    """End a task; False where another took it over, which keeps it.

    Args:
        after_s: seconds until one that failed is tried again.
    """
    not_before = timestamp(now + timedelta(seconds=after_s)) if state == "failed" else None
    values = {"id": held.id, "fence": held.fence, "state": state, "not_before": not_before, "now": timestamp(now)}
    with brain.leasing():
        ended = run(brain, "tasks.finish", **values, error=error and redact(error)).rowcount
        brain.announce(CHANNEL)
    return ended > 0


def release(brain: Brain, held: Held, *, now: datetime) -> None:
    """Give a task back, for anybody to take, or as somebody wished."""
    with brain.leasing():
        run(brain, "tasks.release", id=held.id, fence=held.fence, now=timestamp(now))
        brain.announce(CHANNEL)


def abandon(brain: Brain, alive: Callable[[str], bool]) -> None:
    """Make due again what workers had that are no more."""
    for owner in column(brain, "select distinct lease_owner from tasks where state = 'leased'"):
        if not alive(owner):
            with brain.leasing():
                run(brain, "tasks.abandon", owner=owner)


def tasks(brain: Brain, *, scope: Scope | None = None, states: Sequence[State] = OPEN, limit: int = -1) -> list[Task]:
    """Tasks in any of *states*: dead ones first, then failed, leased, pending and paused; -1 is no limit."""
    sources = readable_or_all(brain, scope)
    found = rows(brain, "tasks.tasks", sources=sources, states=states, limit=limit)
    return [Task(**{**row, "parameters": json.loads(row["parameters"])}) for row in found]


def stop(brain: Brain, ids: Collection[int], wish: Literal["pause", "cancel"], *, scope: Scope, now: datetime) -> int:
    """Have tasks wait until they are resumed, or never be done; how many. Their workers hear of it soon."""
    state = "paused" if wish == "pause" else "cancelled"
    return _changed(brain, "stop", scope, ids=ids, wish=wish, state=state, now=timestamp(now))


def resume(brain: Brain, ids: Collection[int] | None, *, scope: Scope) -> int:
    """Make tasks due that were stopped, failed or died; None is all that failed or died. How many."""
    return _changed(brain, "resume", scope, ids=ids)


def _changed(brain: Brain, statement: str, scope: Scope, **values: object) -> int:
    sources = readable_or_all(brain, scope)
    with brain.leasing():
        changed = run(brain, f"tasks.{statement}", sources=sources, **values).rowcount
        brain.announce(CHANNEL)
    return changed


def forget(brain: Brain, *, before: datetime) -> int:
    """Forget tasks that were done or cancelled before a moment; how many."""
    with brain.leasing():
        return run(brain, "tasks.forget", before=timestamp(before)).rowcount
