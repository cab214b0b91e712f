"""Job 2: facts that fell below the confidence worth keeping go; what had merged into them speaks for itself again."""

from __future__ import annotations

from typing import Final

from cortex.compactor.job import JobReport, Work, removal
from cortex.compactor.time_decay import ages
from cortex.substrate.archive import archive_leaving, count_leaving, note_leaving
from cortex.substrate.compaction import find_low, revive_merged_into_leaving, set_ages

NAME: Final = "low_confidence"
THRESHOLD: Final = 0.30


def low_confidence(work: Work) -> JobReport:
    """Take out what is below 0.30, as old as it is now: what tonight's decay takes below goes tonight."""
    set_ages(work.brain, ages(work.now))
    return removal(work, NAME, lambda: _find(work, every=True), lambda: _revived(work))


def _find(work: Work, *, every: bool) -> None:
    find_low(work.brain, source_id=work.source_id, threshold=THRESHOLD, every=every)


def _revived(work: Work) -> int:
    """Let what had merged into the facts that left stand again; of that, too, what is below goes."""
    changed = 0
    while count_leaving(work.brain):
        changed += revive_merged_into_leaving(work.brain, source_id=work.source_id, run_id=work.run_id)
        _find(work, every=False)
        note_leaving(work.brain)
        changed += archive_leaving(work.brain, run_id=work.run_id, job=NAME, now=work.now)
    return changed
