"""The queue of records whose text is to be distilled: one job per record and content.

A worker leases jobs, works outside of any transaction, and brings facts and completion in one. Each lease raises the
job's fence; completion names the fence it was leased with, so that whoever comes late, after another leased the job,
changes nothing. People see what stands in the queue, and put right what got stuck there.
"""

from __future__ import annotations

import logging
from collections.abc import Collection, Iterable, Sequence
from datetime import datetime, timedelta
from hashlib import blake2b
from typing import Any, Final, Literal, NamedTuple

from pydantic import Field

from cortex.substrate.brain import Brain, write
from cortex.substrate.model import Scope, Value
from cortex.substrate.secrets import redact
from cortex.substrate.sources import readable_or_all, timestamp
from cortex.substrate.statements import column, rows, run, sql

MOST_ATTEMPTS: Final = 5  # attempts after which a job that could be retried is dead
LONGEST_LEASE_S: Final = 3600.0  # no lease is longer: one that ends later was taken by another clock
_BASE_S: Final = 2.0
_GROWTH: Final = 4.0
_LONGEST_S: Final = 3600.0

_log = logging.getLogger("cortex.substrate")


class Lease(NamedTuple):
    """A job that belongs to one worker for a while.

    Attributes:
        fence: tells this lease of the job from any other.
        attempts: how often it was tried before, to an end.
        abandoned: how many leases in a row ended because their owner did not come back.
        columns: of the record: id, type, ref, title, body, author, state, created_at, association, path, whether it was
            said when its thread was closed without a merge, and its blocks.
    """

    job: int
    fence: int
    attempts: int
    abandoned: int
    columns: tuple[Any, ...]


class Failure(NamedTuple):
    """A job that a worker could not do.

    Attributes:
        retry: whether it may be tried again.
        after_s: seconds it has to wait at least.
    """

    lease: Lease
    reason: str
    retry: bool
    after_s: float | None = None


class Later(NamedTuple):
    """When a path has work again: as soon as a failed job has waited, or another worker's lease ends."""

    retry: datetime | None
    lease_ends: datetime | None


def requeue_closings(brain: Brain, *, source_id: int) -> None:
    """Make jobs due again whose texts close a thread since, or no longer do."""
    write(brain, "queue.requeue_closings", source_id=source_id)


def requeue_outranked(
    brain: Brain, *, source_id: int, path: str, rank: int, distiller: str, again: bool = False
) -> int:
    """Make jobs due again that a distiller of a rank below *rank* did or failed at; how many.

    Args:
        again: those of any other than *distiller*, too, whatever their rank.
    """
    by = {"path": path, "rank": rank, "distiller": distiller, "again": again}
    return write(brain, "queue.requeue_outranked", source_id=source_id, **by)


def tidy_jobs(brain: Brain, *, source_id: int) -> None:
    """Forget jobs for contents that no record has any longer, and make those due again whose facts are gone."""
    with brain.transaction():
        run(brain, "queue.drop_outdated_jobs", source_id=source_id)
        run(brain, "queue.requeue_stripped", source_id=source_id)


def lease_jobs(
    brain: Brain, *, source_id: int, path: str, owner: str, limit: int, lease_s: float, now: datetime
) -> list[Lease]:
    """Take up to *limit* due jobs for *lease_s* seconds: the most urgent, then the oldest; in their order."""
    where = {"source_id": source_id, "path": path, "owner": owner}
    until = timestamp(now + timedelta(seconds=lease_s))
    latest = timestamp(now + timedelta(seconds=max(lease_s, LONGEST_LEASE_S)))
    with brain.leasing():
        for holder, end, count in run(brain, "queue.leases_beyond", **where, latest=latest).fetchall():
            _log.warning("%s holds %d jobs until %s by a clock that is ahead: taken as ended", holder, count, end)
        run(brain, "queue.reclaim_jobs", **where, now=timestamp(now), latest=latest)
        leased = column(brain, "queue.lease_jobs", **where, until=until, limit=limit)
        taken = run(brain, "queue.take_jobs", jobs=leased).fetchall()
    return [Lease(job, fence, attempts, abandoned, tuple(rest)) for job, fence, attempts, abandoned, *rest in taken]


def release_jobs(brain: Brain, *, source_id: int, path: str, owner: str) -> None:
    """Give back what *owner* holds, for anybody to take."""
    write(brain, "queue.release_jobs", source_id=source_id, path=path, owner=owner, lost=0)


def abandon_jobs(brain: Brain, *, source_id: int, path: str, owner: str) -> None:
    """Make due again what *owner* holds, who is no more."""
    write(brain, "queue.release_jobs", source_id=source_id, path=path, owner=owner, lost=1)


def lease_owners(brain: Brain, *, source_id: int, path: str) -> list[str]:
    """Who holds jobs of *path*."""
    held = "select distinct lease_owner from facts_queue where source_id = :id and path = :path and state = 'leased'"
    return column(brain, held, id=source_id, path=path)


def next_due(brain: Brain, *, source_id: int, path: str) -> Later:
    """When what cannot be leased now may be."""
    row = run(brain, "queue.next_due", source_id=source_id, path=path).fetchone()
    return Later(*(datetime.fromisoformat(moment) if moment else None for moment in row))


def mark_due(brain: Brain, leases: Iterable[Lease]) -> None:
    """Put the records to the batch whose jobs these leases still hold. Call it in the transaction that settles it."""
    run(brain, "queue.distilled_due", jobs=[(lease.job, lease.fence) for lease in leases])


def finish_jobs(brain: Brain, leases: Iterable[Lease], *, distiller: str, rank: int, now: datetime) -> int:
    """Mark jobs done, but those leased to another since; how many. Call it in the transaction of their facts."""
    by = {"distiller": distiller, "rank": rank, "now": timestamp(now)}
    done = [by | {"id": lease.job, "fence": lease.fence} for lease in leases]
    return brain.db.executemany(sql("queue.finish_job"), done).rowcount if done else 0


def fail_jobs(
    brain: Brain, failures: Sequence[Failure], *, distiller: str, rank: int, now: datetime
) -> tuple[int, int]:
    """Mark jobs failed until they are due again, or dead, but those leased to another since. Call it in a transaction.

    What the records of dead jobs no longer say is put to the batch, to be archived with what it settles.

    Returns:
        How many are dead now, and how many will be tried again.
    """
    dead: list[int] = []
    failed = 0
    for failure in failures:
        lease = failure.lease
        again = failure.retry and lease.attempts + 1 < MOST_ATTEMPTS
        waits = max(failure.after_s or 0.0, backoff_s(lease.job, lease.attempts + 1))
        values = {
            "id": lease.job, "fence": lease.fence, "state": "failed" if again else "dead",
            "error": redact(failure.reason), "not_before": timestamp(now + timedelta(seconds=waits)) if again else None,
            "distiller": distiller, "rank": rank, "now": timestamp(now),
        }  # fmt: skip
        if run(brain, "queue.fail_job", **values).rowcount:
            failed += again
            dead += [] if again else [lease.job]
    run(brain, "queue.stale_due", jobs=dead)
    return len(dead), failed


def backoff_s(job: int, attempt: int) -> float:
    """Seconds before a job is tried again: 2, 8, 32, 128, each by half more or less, so that jobs do not come in step.

    Args:
        attempt: how often it was tried, from 1. The same job and attempt wait the same.
    """
    drawn = blake2b(f"{job}/{attempt}".encode(), digest_size=4).digest()
    jitter = 0.5 + int.from_bytes(drawn, "big") / 0xFFFFFFFF
    return min(_BASE_S * _GROWTH ** (attempt - 1), _LONGEST_S) * jitter


def open_jobs(brain: Brain, *, source_id: int, path: str) -> int:
    """How many jobs of *path* are not through: pending, leased, or failed and to be tried again."""
    return int(run(brain, "queue.open_jobs", source_id=source_id, path=path).fetchone()[0])


State = Literal["dead", "failed", "leased", "pending", "done"]
UNFINISHED: Final[tuple[State, ...]] = ("dead", "failed", "leased", "pending")

_RECENT_S: Final = 600


class Job(Value):
    """A record's text on its way to facts."""

    source: str
    ref: str = Field(description="of the record")
    path: str = Field(description="docs or comments")
    state: State
    attempts: int = Field(description="that came to an end")
    error: str | None = Field(description="why the last attempt failed")
    distiller: str = Field(description="who tried last, '' when nobody has")
    enqueued_at: datetime
    not_before: datetime | None = Field(description="when a failed one is tried again")
    lease_owner: str | None = Field(description="the host and process at work on it")
    lease_until: datetime | None


class Backlog(Value):
    """How far behind a source is, and how fast it catches up."""

    waiting: int = Field(description="jobs that are not through; dead ones are not among them")
    oldest: datetime | None = Field(description="when the first of them was enqueued")
    per_second: float | None = Field(description="jobs done in the last ten minutes of work; none where none was done")
    last_done: datetime | None


def jobs(brain: Brain, *, scope: Scope | None = None, states: Sequence[str] = UNFINISHED, limit: int = -1) -> list[Job]:
    """Jobs in any of *states*: dead ones first, then failed, leased, pending and done; -1 is no limit.

    Raises:
        UnknownSource: the scope names a source this brain does not hold.
    """
    sources = readable_or_all(brain, scope)
    return [Job(**row) for row in rows(brain, "queue.jobs", sources=sources, states=states, limit=limit)]


def retry_jobs(brain: Brain, *, scope: Scope | None = None, refs: Sequence[str] = ()) -> int:
    """Make failed and dead jobs due at once, all or those of *refs*; how many."""
    return _changed(brain, "retry_jobs", scope, refs)


def drop_jobs(brain: Brain, *, scope: Scope | None = None, refs: Sequence[str] = ()) -> int:
    """Forget dead jobs, or whatever waits of *refs*; how many. Their records keep the facts they have."""
    return _changed(brain, "drop_jobs", scope, refs)


def backlogs(brain: Brain, sources: Collection[int]) -> dict[int, Backlog]:
    """How far behind each source is, by its id; one that is not among *sources* is not behind."""
    return {row.pop("id"): Backlog(**row) for row in rows(brain, "queue.backlogs", sources=sources, seconds=_RECENT_S)}


def _changed(brain: Brain, statement: str, scope: Scope | None, refs: Sequence[str]) -> int:
    return write(brain, f"queue.{statement}", sources=readable_or_all(brain, scope), refs=refs or None)
