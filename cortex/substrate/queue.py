"""The queue of records whose text is to be distilled: one job per record and content."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from cortex.substrate.brain import Brain
from cortex.substrate.sources import timestamp
from cortex.substrate.statements import sql


def requeue_stripped(brain: Brain, *, source_id: int) -> None:
    """Make jobs due again whose facts somebody deleted."""
    with brain.transaction() as db:
        db.execute(sql("requeue_stripped"), {"source_id": source_id})


def drop_outdated_jobs(brain: Brain, *, source_id: int) -> None:
    """Forget jobs for a content that their record no longer has."""
    with brain.transaction() as db:
        db.execute(sql("drop_outdated_jobs"), {"source_id": source_id})


def take_jobs(brain: Brain, *, source_id: int, path: str, limit: int) -> list[tuple[Any, ...]]:
    """Up to *limit* due jobs: the job's id, then the record's id, type, ref, title, body, author, state, time."""
    values = {"source_id": source_id, "path": path, "limit": limit}
    return brain.db.execute(sql("take_jobs"), values).fetchall()


def finish_jobs(brain: Brain, jobs: Iterable[int], *, now: datetime) -> None:
    """Mark *jobs* done. Call it in the transaction that brings their facts."""
    brain.db.executemany(sql("finish_job"), [{"id": job, "now": timestamp(now)} for job in jobs])


def due_jobs(brain: Brain, *, source_id: int, path: str) -> int:
    """How many jobs of *path* wait that `take_jobs` would give."""
    return int(brain.db.execute(sql("due_jobs"), {"source_id": source_id, "path": path}).fetchone()[0])
