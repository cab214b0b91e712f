"""A worker: takes tasks from the queue of a brain, one at a time, until it is told to stop."""

from __future__ import annotations

import json
import os
import sqlite3
import time
from collections.abc import Callable
from concurrent.futures import CancelledError
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from threading import Event, Thread
from typing import Any, Final, Self

from cortex.compactor.schedule import Holder, enqueue_night
from cortex.errors import BrainBusy, CortexError, LeaseLost, ServerAway, WorkersLost
from cortex.settings import Settings
from cortex.substrate import tasks
from cortex.substrate.brain import Brain, open_brain
from cortex.substrate.queue import MOST_ATTEMPTS, backoff_s
from cortex.substrate.sources import source_names
from cortex.substrate.tasks import CHANNEL, Held
from cortex.surfaces.contract import Call, run
from cortex.surfaces.operations import named
from cortex.surfaces.working import alive, this_process

LEASE_S: Final = 60.0  # after which another machine takes over what a worker had that is no more
BEAT_S: Final = 10.0  # between two looks at what was wished, each of which renews the lease
LOOK_S: Final = 5.0  # between two looks at the queue where nobody announces anything
POLL_S: Final = 1.0  # between two looks at whether to stop
TICK: Final = timedelta(minutes=1)  # between two looks at the clock
KEPT: Final = timedelta(days=30)  # how long tasks are remembered that came to an end
SUSPICIOUS: Final = 3  # leases in a row that ended with their owner: the task waits, for it may be what ends them


@dataclass
class Stopping:
    """Whether a worker was told to stop, and how long what it has in hand may still take.

    Attributes:
        grace_s: seconds from then on; what is not done by that time is given back.
        parent: the process that started it, without which it stops; 0 is none.
    """

    grace_s: float = 0.0
    parent: int = 0
    told_at: float | None = field(default=None, init=False)

    def tell(self, *_: object) -> None:
        """Take no more tasks; told again, give back what is in hand."""
        self.told_at = time.monotonic() - (self.grace_s if self.told_at else 0)

    @property
    def is_told(self) -> bool:
        """Whether to take no more."""
        if self.told_at is None and self.parent and os.getppid() != self.parent:
            self.tell()
        return self.told_at is not None

    @property
    def is_over(self) -> bool:
        """Whether to give back what is in hand."""
        return self.is_told and time.monotonic() - (self.told_at or 0) >= self.grace_s


class Worker:
    """One process that works on the tasks of a brain.

    Args:
        drains: it stops as soon as no task is due.
        processes: that compute for one task.
        told: hears of each task that came to an end.
    """

    def __init__(
        self, path: Path, settings: Settings, stopping: Stopping, *, drains: bool = False, processes: int = 1,
        told: Callable[[str], None] = lambda _: None,
    ) -> None:  # fmt: skip
        self.path, self.settings, self.stopping, self.drains = path, settings, stopping, drains
        self.processes, self.told = processes, told
        self._looked: datetime | None = None

    def run(self) -> None:
        """Work until told to stop, or until nothing is due; a server that is away is waited for."""
        while not self.stopping.is_told:
            try:
                with open_brain(self.path, make=False) as brain:
                    self._work(brain)
                    return
            except (ServerAway, BrainBusy) as error:
                self.told(f"{error}; trying again")
                self._rest(time.sleep)

    def _work(self, brain: Brain) -> None:
        while not self.stopping.is_told:
            self._look_at_the_clock(brain)
            tasks.abandon(brain, _is_at_work)
            if held := tasks.lease(brain, owner=this_process(), lease_s=LEASE_S, now=_now()):
                self._perform(brain, held)
            elif self.drains:
                return
            else:
                self._rest(partial(brain.wait, CHANNEL))

    def _rest(self, wait: Callable[[float], object]) -> None:
        until = time.monotonic() + LOOK_S
        while not self.stopping.is_told and time.monotonic() < until:
            if wait(POLL_S):
                return

    def _perform(self, brain: Brain, held: Held) -> None:
        began = time.monotonic()
        try:
            self._try(brain, held)
        except (CancelledError, LeaseLost):
            tasks.release(brain, held, now=_now())
            outcome = "given back"
        except ServerAway:  # the task is this worker's until it is back, and then due again
            raise
        except Exception as error:  # noqa: BLE001  whatever it was, the next task is another
            outcome = self._fail(brain, held, error)
        else:
            outcome = "done" if tasks.finish(brain, held, "done", now=_now()) else "done by another"
        self.told(f"task {held.id} {held.operation}: {outcome} after {time.monotonic() - began:.1f} s")

    def _try(self, brain: Brain, held: Held) -> None:
        if held.abandoned >= SUSPICIOUS:
            raise WorkersLost(held.abandoned)
        with Lease(brain, held, self.stopping) as lease:
            run(named(held.operation), self._call(lease), self._given(brain, held))

    def _fail(self, brain: Brain, held: Held, error: Exception) -> str:
        hopeless = isinstance(error, CortexError) and error.exit_code == 2  # wrong usage stays wrong
        state: tasks.Ended = "dead" if hopeless or held.attempts + 1 >= MOST_ATTEMPTS else "failed"
        said = str(error) if isinstance(error, CortexError) else f"{type(error).__name__}: {error}"
        tasks.finish(brain, held, state, error=said, after_s=backoff_s(held.id, held.attempts + 1), now=_now())
        return f"{state}, {said}"

    def _call(self, lease: Lease) -> Call:
        return Call(
            caller="scheduler", path=self.path, settings=self.settings, now=_now(), progress=lease.progress,
            fence=partial(tasks.prove, lease.held),
        )  # fmt: skip

    def _given(self, brain: Brain, held: Held) -> dict[str, Any]:
        """What the operation takes; a source by the name it has by now."""
        given: dict[str, Any] = json.loads(held.parameters)
        if name := source_names(brain).get(held.source_id):
            given |= {"sources": (name,)} if held.operation == "queue_work" else {"source": name}
        return given if held.operation == "compact" else {"workers": self.processes, **given}

    def _look_at_the_clock(self, brain: Brain) -> None:
        """Have each source compacted once a night."""
        now = _now()
        if self._looked is None or now - self._looked >= TICK:
            self._looked = now
            tasks.forget(brain, before=now - KEPT)
            enqueue_night(brain, at=self.settings.compact_at, holder=Holder(this_process(), alive), now=now)


class Lease:
    """A lease that is renewed while its task is worked on.

    Its task stops, by an error, at the first sign of progress after somebody wished that, or after the lease was lost.
    """

    def __init__(self, brain: Brain, held: Held, stopping: Stopping) -> None:
        self.held = held
        self._brain, self._stopping = brain, stopping
        self._done, self._stops, self._at = Event(), Event(), ""
        self._beating = Thread(target=self._beat, daemon=True)

    def __enter__(self) -> Self:
        self._beating.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._done.set()
        self._beating.join()

    def progress(self, stage: str, _: int, total: int | None) -> None:
        """Keep what the task is at; the end of it where it is to stop."""
        self._at = stage if total is None else f"{stage}, {total:,} in all"
        if self._stops.is_set() or self._stopping.is_over:
            raise CancelledError

    def _beat(self) -> None:
        while not self._done.wait(BEAT_S):
            with suppress(BrainBusy, ServerAway, sqlite3.Error):  # the lease lasts for some more beats
                try:
                    wish = tasks.renew(self._brain, self.held, lease_s=LEASE_S, progress=self._at, now=_now())
                except LeaseLost:
                    wish = "cancel"
                if wish in ("pause", "cancel"):
                    self._stops.set()


def _is_at_work(owner: str) -> bool:
    """Whether another process has a task; this one, which looks for one, has none."""
    return owner != this_process() and alive(owner)


def _now() -> datetime:
    return datetime.now(UTC)
