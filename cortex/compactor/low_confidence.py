"""Job 2: facts that fell below the confidence worth keeping go; what had merged into them speaks for itself again."""

from __future__ import annotations

from time import perf_counter
from typing import Final

from cortex.compactor.exact_duplicates import WORTH
from cortex.compactor.job import JobReport, Work, leaving
from cortex.compactor.time_decay import make_ages
from cortex.substrate.archive import archive_leaving, find_revivable, revive
from cortex.substrate.statements import sql

NAME: Final = "low_confidence"
THRESHOLD: Final = 0.30


def low_confidence(work: Work) -> JobReport:
    """Take out what is below 0.30, as old as it is now: what tonight's decay takes below goes tonight."""
    started = perf_counter()
    make_ages(work)
    looked_at = work.count()
    with work.applying(lambda: _find(work, every=True)):
        report = work.report(NAME, looked_at, leaving(work), "leaving")
        changed = 0
        while leaving(work):
            changed += archive_leaving(work.brain, run_id=work.run_id, job=NAME, now=work.now)
            changed += revive(work.brain, run_id=work.run_id)
            _find(work, every=False)
    return work.finished(report.model_copy(update={"changed": changed}), started)


def _find(work: Work, *, every: bool) -> None:
    """What goes, and what stands again for it: of *every* fact, or of those that were just revived."""
    db = work.brain.db
    db.execute("delete from temp.leaving")
    db.execute(sql("find_low_confidence"), work.values(threshold=THRESHOLD, worth=WORTH, every=every))
    db.execute("delete from temp.unsaid")
    db.execute(sql("leaving_unsaid"))
    find_revivable(work.brain, source_id=work.source_id)
