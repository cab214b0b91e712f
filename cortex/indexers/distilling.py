"""The docs and comments paths: jobs of the queue go through a distiller and come back as facts."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from typing import Any, Final

from cortex.indexers.distill.rules import distill
from cortex.indexers.distill.text import Text
from cortex.substrate.brain import Brain
from cortex.substrate.facts import Candidate, Changes, add_candidates, begin_batch, settle_batch
from cortex.substrate.queue import finish_jobs, take_jobs
from cortex.substrate.statements import sql

BATCH: Final = 512

Distiller = Callable[[Text], Iterable[Candidate]]


def distill_queue(
    brain: Brain,
    *,
    source_id: int,
    path: str,
    run_id: int,
    now: datetime,
    distiller: Distiller = distill,
    progress: Callable[[int], None] = lambda _: None,
) -> Changes:
    """Distill every due job of *path*; facts and completion of a batch commit together.

    Args:
        progress: told how many jobs a batch has finished.

    Returns:
        Facts added, removed because their record changed, and left as they were.
    """
    total = Changes(0, 0, 0)
    while jobs := take_jobs(brain, source_id=source_id, path=path, limit=BATCH):
        texts = [Text(*job[1:]) for job in jobs]
        found = [candidate for text in texts for candidate in distiller(text)]
        changes = _settle(brain, jobs, found, path=path, run_id=run_id, now=now)
        total = Changes(*map(sum, zip(total, changes, strict=True)))
        progress(len(jobs))
    return total


def _settle(
    brain: Brain, jobs: Sequence[tuple[Any, ...]], found: Iterable[Candidate], *, path: str, run_id: int, now: datetime
) -> Changes:
    """Bring the facts of *jobs*, but those of a record that has changed meanwhile: its new content has its own job."""
    begin_batch(brain)
    add_candidates(brain, found)
    ids = [job[0] for job in jobs]
    with brain.transaction() as db:
        db.execute(sql("distilled_due"), {"jobs": json.dumps(ids)})
        db.execute("delete from temp.candidates where record_id not in (select id from temp.due)")
        changes = settle_batch(brain, path=path, run_id=run_id, now=now)
        finish_jobs(brain, ids, now=now)
    return changes
