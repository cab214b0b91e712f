"""Job 2: facts that fell below the confidence worth keeping go; what had merged into them speaks for itself again."""

from __future__ import annotations

from typing import Final

from cortex.compactor.job import JobReport, Work, leaving, removal
from cortex.compactor.time_decay import make_ages
from cortex.substrate.archive import WORTH, archive_leaving, find_revivable, note_leaving, revive
from cortex.substrate.statements import sql

NAME: Final = "low_confidence"
THRESHOLD: Final = 0.30


def low_confidence(work: Work) -> JobReport:
    """Take out what is below 0.30, as old as it is now: what tonight's decay takes below goes tonight."""
    make_ages(work)
    return removal(work, NAME, lambda: _find(work, every=True), lambda: _revived(work))


def _find(work: Work, *, every: bool) -> None:
    """What is below: of *every* fact, or of those that were just revived."""
    values = work.values(threshold=THRESHOLD, worth=WORTH, every=every)
    work.brain.db.execute(sql("compaction.find_low_confidence"), values)


def _revived(work: Work) -> int:
    """Let what had merged into the facts that left stand again; of that, too, what is below goes."""
    changed, db = 0, work.brain.db
    while leaving(work):
        db.execute("delete from temp.unsaid")
        db.execute(sql("compaction.leaving_unsaid"))
        find_revivable(work.brain, source_id=work.source_id)
        changed += revive(work.brain, run_id=work.run_id)
        db.execute("delete from temp.leaving")
        _find(work, every=False)
        note_leaving(work.brain)
        changed += archive_leaving(work.brain, run_id=work.run_id, job=NAME, now=work.now)
    return changed
