"""Job 1: facts whose record its origin no longer has go; what had merged into them speaks for itself again.

What had merged elsewhere corroborates no longer.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from time import perf_counter
from typing import Final

from cortex.compactor.job import JobReport, Work, removal
from cortex.substrate.compaction import find_orphans, revive_found, waits_for_revival

NAME: Final = "orphans"


def orphans(work: Work) -> JobReport:
    """Take out what no record says any more; what comes back because of it counts as changed too."""
    started = perf_counter()
    find = partial(find_orphans, work.brain, source_id=work.source_id)
    after = partial(revive_found, work.brain, run_id=work.run_id)
    report = removal(work, NAME, find, after)
    if not waits_for_revival(work.brain):
        return report
    with work.brain.transaction():  # nothing leaves: an index run brought their records back, or was killed
        revived = after()
    return work.finished(replace(report, changed=report.changed + revived), started)
