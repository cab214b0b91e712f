"""Job 4: what nobody has touched for long is less sure, down to half of what it was."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from time import perf_counter, sleep
from typing import Final

from cortex.compactor.job import PAUSE_S, JobReport, Work
from cortex.substrate.archive import begin_removal
from cortex.substrate.compaction import fade, find_faded, next_fade, set_ages
from cortex.substrate.sources import timestamp

NAME: Final = "time_decay"
PERIOD: Final = timedelta(days=90)
RATE: Final = 0.90
FLOOR: Final = 0.5
PART: Final = 200_000  # facts that one transaction makes less sure


def time_decay(work: Work) -> JobReport:
    """Give every fact the confidence of its age; from the original one, so that nightly runs never compound."""
    started = perf_counter()
    begin_removal(work.brain)
    set_ages(work.brain, ages(work.now))
    looked_at, seen = work.count(), work.brain.data_version
    find_faded(work.brain, source_id=work.source_id)
    examples = tuple(work.examples("fading"))
    more = next_fade(work.brain, PART)
    while more:
        with work.brain.transaction():
            faded = fade(work.brain, run_id=work.run_id, changed=work.brain.data_version != seen)
        work.changed[NAME] += faded
        work.wrote(work.changed[NAME])
        if more := next_fade(work.brain, PART):
            sleep(PAUSE_S)
    report = JobReport(job=NAME, source=work.source, looked_at=looked_at, changed=work.changed[NAME], examples=examples)
    return work.finished(report, started)


def ages(now: datetime) -> Iterator[tuple[str, float]]:
    """Each moment by which a further full period has gone by, and the share that is left then; ends with the least.

    >>> [(moment[:10], share) for moment, share in ages(datetime.fromisoformat("2026-06-01T00:00:00Z"))][:2]
    [('2026-03-03', 0.9), ('2025-12-03', 0.81)]
    """
    share, moment = 1.0, now
    while share > FLOOR:
        share, moment = max(FLOOR, round(share * RATE, 6)), moment - PERIOD
        yield timestamp(moment)[:19], share
