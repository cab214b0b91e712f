"""Job 1: facts whose record its origin no longer has go; what had merged into them speaks for itself again."""

from __future__ import annotations

from time import perf_counter
from typing import Final

from cortex.compactor.job import JobReport, Work, leaving
from cortex.substrate.archive import archive_leaving, find_revivable, revive
from cortex.substrate.statements import sql

NAME: Final = "orphans"


def orphans(work: Work) -> JobReport:
    """Take out what no record says any more; what comes back because of it counts as changed too."""
    started = perf_counter()
    looked_at = work.count()
    with work.applying(lambda: _find(work)):
        report = work.report(NAME, looked_at, leaving(work), "leaving")
        archive_leaving(work.brain, run_id=work.run_id, job=NAME, now=work.now)
        revived = revive(work.brain, run_id=work.run_id)
    return work.finished(report.model_copy(update={"changed": report.changed + revived}), started)


def _find(work: Work) -> None:
    work.brain.db.execute(sql("find_orphans"), work.values())
    work.brain.db.execute(sql("find_unsaid"), work.values())
    find_revivable(work.brain, source_id=work.source_id)
