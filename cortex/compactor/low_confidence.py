"""Job 2: facts that fell below the confidence worth keeping go; what had merged into them speaks for itself again."""

from __future__ import annotations

from functools import partial
from typing import Any, Final

from cortex.compactor.job import JobReport, Work, removal
from cortex.compactor.time_decay import ages
from cortex.substrate.compaction import find_low, revive_low, set_ages

NAME: Final = "low_confidence"
THRESHOLD: Final = 0.30


def low_confidence(work: Work) -> JobReport:
    """Take out what is below 0.30, as old as it is now: what tonight's decay takes below goes tonight."""
    set_ages(work.brain, ages(work.now))
    below: dict[str, Any] = {"source_id": work.source_id, "threshold": THRESHOLD}
    find = partial(find_low, work.brain, **below, every=True)
    after = partial(revive_low, work.brain, **below, run_id=work.run_id, job=NAME, now=work.now)
    return removal(work, NAME, find, after)
