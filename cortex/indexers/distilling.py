"""The docs and comments paths: jobs of the queue go through a distiller and come back as facts.

One process leases jobs and brings their facts; what computes runs in processes beside it and what waits in threads, so
that nothing is done inside a transaction. Any number of processes may do so with one brain at the same time.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from datetime import datetime, timedelta
from itertools import groupby
from typing import Final, NamedTuple

from cortex.indexers.distill import Distilled, Distiller, Failed, call
from cortex.indexers.distill.rules import RULES
from cortex.indexers.distill.text import Text
from cortex.indexers.processes import AHEAD, Inline, Processes
from cortex.indexers.reading import Progress
from cortex.llm.loop import wait_for_one
from cortex.substrate import queue
from cortex.substrate.brain import Brain
from cortex.substrate.encoder import Encoder
from cortex.substrate.facts import add_candidates, begin_batch, drop_undue, settle_batch
from cortex.substrate.queue import Failure, Lease

WORTH_PROCESSES: Final = 2000
"""Jobs that one process has done before others have started; those that are there already get fewer, too."""

PATIENCE: Final = timedelta(seconds=45)
"""How long a run waits for a job that failed to be due again; then it is left for another run."""

_POLL_S: Final = 0.1
_SUSPICIOUS: Final = 3
"""Leases in a row that ended with their owner: from then on a job is done in a process of its own."""

Outcome = Distilled | Failed
_Flying = tuple[Future[list[Outcome]], list[Lease]]


class Done(NamedTuple):
    """What became of jobs and of facts.

    Attributes:
        dead: will not be tried again.
        failed: attempts that failed and are to be repeated.
        late: leased to another before their facts came, which were refused.
    """

    added: int = 0
    replaced: int = 0
    unchanged: int = 0
    done: int = 0
    dead: int = 0
    failed: int = 0
    late: int = 0


class Line(NamedTuple):
    """One path of one source, and who works on it."""

    brain: Brain
    source_id: int
    path: str
    run_id: int
    crew: Crew
    processes: Processes
    progress: Progress
    started: datetime

    @property
    def distiller(self) -> Distiller:
        """Who distills its jobs."""
        return self.crew.docs if self.path == "docs" else self.crew.comments

    def now(self) -> datetime:
        """The time as it passes for the crew."""
        return self.crew.clock() if self.crew.clock else self.started


def distill_queue(line: Line) -> Done:
    """Distill the due jobs of a path until none is left that this run can wait for.

    Facts and completion of a call commit together. What another process holds is waited for, and taken over when its
    lease ends; a run that is interrupted gives back what it holds.
    """
    brain, source_id, path = line.brain, line.source_id, line.path
    queue.abandon_jobs(brain, source_id=source_id, path=path, owner=line.crew.owner)  # of one who had this name before
    total, waiting = Done(), queue.open_jobs(brain, source_id=source_id, path=path)
    try:
        for one in _work(line):
            total = Done(*map(sum, zip(total, one, strict=True)))
            line.progress(f"distilling {path}", one.done + one.dead + one.late, waiting)
    finally:
        queue.release_jobs(brain, source_id=source_id, path=path, owner=line.crew.owner)
    return total


def _work(line: Line) -> Iterator[Done]:
    executor, calls = _executor(line)
    flying: deque[_Flying] = deque()
    try:
        while True:
            while len(flying) < calls and (leases := _take(line)):
                flying.append(_begun(line, leases, executor))
            if flying:
                future, leases = _landed(flying, ordered=not line.distiller.calls)
                try:
                    outcomes = future.result()
                except BrokenProcessPool:
                    outcomes = _one_by_one(line, leases)
                yield _settle(line, leases, outcomes)
            elif not _wait(line):
                return
    finally:
        if executor is not line.processes:
            executor.shutdown(wait=False, cancel_futures=True)


def _executor(line: Line) -> tuple[Executor, int]:
    if calls := line.distiller.calls:
        return ThreadPoolExecutor(calls), calls
    due, workers = queue.open_jobs(line.brain, source_id=line.source_id, path=line.path), line.processes.workers
    if line.processes.started or (workers > 1 and due > WORTH_PROCESSES):
        return line.processes, AHEAD * workers
    return Inline(), 1


def _take(line: Line) -> list[Lease]:
    return queue.lease_jobs(
        line.brain, source_id=line.source_id, path=line.path, owner=line.crew.owner, limit=line.distiller.batch,
        lease_s=line.distiller.lease_s, now=line.now(),
    )  # fmt: skip


def _begun(line: Line, leases: list[Lease], executor: Executor) -> _Flying:
    if not line.distiller.calls and any(lease.abandoned >= _SUSPICIOUS for lease in leases):
        return Inline().submit(_one_by_one, line, leases), leases
    return executor.submit(call, line.distiller, [Text(*lease.columns) for lease in leases]), leases


def _landed(flying: deque[_Flying], *, ordered: bool) -> _Flying:
    """The first that was begun, so that rows come in one order whatever the workers; else the first to come back."""
    if ordered:
        return flying.popleft()
    wait_for_one([future for future, _ in flying])
    landed = next(one for one in flying if one[0].done())
    flying.remove(landed)
    return landed


def _one_by_one(line: Line, leases: Iterable[Lease]) -> list[Outcome]:
    """The outcome of each job, done while no other is, so that one that ends its process is known."""
    outcomes: list[Outcome] = []
    for lease in leases:
        try:
            outcomes += line.processes.submit(call, line.distiller, [Text(*lease.columns)]).result()
        except BrokenProcessPool:
            outcomes.append(Failed("it ended the process that distilled it", retry=False))
    return outcomes


def _settle(line: Line, leases: Sequence[Lease], outcomes: Sequence[Outcome]) -> Done:
    """Bring the facts of a call; those of a record that has changed meanwhile do not count: it has another job."""
    pairs = list(zip(leases, outcomes, strict=True))
    failed = [(lease, one) for lease, one in pairs if isinstance(one, Failed)]
    fine = [(lease, found) for lease, found in pairs if isinstance(found, Distilled)]
    own, now = line.distiller.version, line.now()
    begin_batch(line.brain)
    add_candidates(line.brain, (candidate for _, found in fine for candidate in found.candidates))
    add_candidates(line.brain, (candidate for _, one in failed for candidate in one.instead))
    with line.brain.transaction():
        queue.mark_due(line.brain, [lease for lease, _ in fine] + [lease for lease, one in failed if one.instead])
        failures = (Failure(lease, one.reason, one.retry, one.after_s) for lease, one in failed)
        dead, later = queue.fail_jobs(line.brain, [*failures], distiller=own.name, rank=own.rank, now=now)
        drop_undue(line.brain)
        changes = settle_batch(line.brain, path=line.path, run_id=line.run_id, now=line.started)
        done = 0
        for version, some in groupby(fine, lambda pair: pair[1].version or own):
            finished = [lease for lease, _ in some]
            done += queue.finish_jobs(line.brain, finished, distiller=version.name, rank=version.rank, now=now)
    return Done(*changes, done, dead, later, len(leases) - done - dead - later)


def _wait(line: Line) -> bool:
    """Whether to look for jobs again, by now or after a while; False when none is left to wait for."""
    brain, source_id, path = line.brain, line.source_id, line.path
    owners = queue.lease_owners(brain, source_id=source_id, path=path)
    if gone := [owner for owner in owners if owner != line.crew.owner and not line.crew.alive(owner)]:
        for owner in gone:
            queue.abandon_jobs(brain, source_id=source_id, path=path, owner=owner)
        return True
    later, now = queue.next_due(brain, source_id=source_id, path=path), line.now()
    waits = [_POLL_S] if later.lease_ends else []
    if later.retry and later.retry - now <= PATIENCE:
        waits.append(max((later.retry - now).total_seconds(), _POLL_S))
    if not waits or not line.crew.sleep:
        return False
    line.crew.sleep(min(waits))
    return True


class Crew(NamedTuple):
    """One process and the workers it may start.

    Attributes:
        workers: processes that compute at once; they are started once there is enough to do for more than one.
        owner: tells this process from others that lease jobs of the same brain.
        alive: whether the owner of a lease can still come back; what others hold is taken from them when they cannot.
        clock: the time as it passes; None stands still at the run's.
        sleep: waits for seconds; None never waits, and what has to wait is left for another run.
        docs: distills documents.
        comments: distills comments and events.
        encoder: makes vectors of passages; None where the extra `semantic` is not installed.
    """

    workers: int = 1
    owner: str = "this process"
    alive: Callable[[str], bool] = lambda _: True
    clock: Callable[[], datetime] | None = None
    sleep: Callable[[float], None] | None = None
    docs: Distiller = RULES
    comments: Distiller = RULES
    encoder: Encoder | None = None
