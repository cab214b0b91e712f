"""Job 2: facts that fell below the confidence worth keeping go."""

from __future__ import annotations

from typing import Final

from cortex.compactor.exact_duplicates import WORTH
from cortex.compactor.job import JobReport, Work, removal
from cortex.compactor.time_decay import make_ages

NAME: Final = "low_confidence"
THRESHOLD: Final = 0.30


def low_confidence(work: Work) -> JobReport:
    """Take out what is below 0.30, as old as it is now: what tonight's decay takes below goes tonight."""
    make_ages(work)
    return removal(work, NAME, "find_low_confidence", threshold=THRESHOLD, worth=WORTH)
