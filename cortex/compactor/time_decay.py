"""Job 4: what nobody has touched for long is less sure, down to half of what it was."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from time import perf_counter, sleep
from typing import Final

from cortex.compactor.job import PAUSE_S, JobReport, Work, version
from cortex.substrate.archive import WORTH, begin_removal
from cortex.substrate.sources import timestamp
from cortex.substrate.statements import sql

NAME: Final = "time_decay"
PERIOD: Final = timedelta(days=90)
RATE: Final = 0.90
FLOOR: Final = 0.5
PART: Final = 200_000  # facts that one transaction makes less sure


def time_decay(work: Work) -> JobReport:
    """Give every fact the confidence of its age; from the original one, so that nightly runs never compound."""
    started = perf_counter()
    db = work.brain.db
    begin_removal(work.brain)
    make_ages(work)
    looked_at, seen = work.count(), version(work.brain)
    db.execute(sql("compaction.find_faded"), work.values(worth=WORTH))
    examples = tuple(work.examples("fading"))
    more = _next(work)
    while more:
        with work.brain.transaction():
            if version(work.brain) != seen:
                db.execute(sql("compaction.stay_unfaded"))
            db.execute(sql("archive.keep_confidence"), work.values())
            faded = db.execute(sql("compaction.fade")).rowcount
        work.changed[NAME] += faded
        work.wrote(work.changed[NAME])
        if more := _next(work):
            sleep(PAUSE_S)
    report = JobReport(job=NAME, source=work.source, looked_at=looked_at, changed=work.changed[NAME], examples=examples)
    return work.finished(report, started)


def _next(work: Work) -> bool:
    """Put the next PART of what is to fade into `temp.fading`; whether there was any."""
    db = work.brain.db
    db.execute("delete from temp.fading")
    found = db.execute(sql("compaction.fade_next"), {"limit": PART}).rowcount
    db.execute("delete from temp.faded where fact_id in (select fact_id from temp.fading)")
    return found > 0


def make_ages(work: Work) -> None:
    """Put into `temp.ages` what share of their confidence facts keep that nobody has touched since each moment."""
    work.brain.db.execute(sql("compaction.ages_temp"))
    work.brain.db.execute("delete from temp.ages")
    work.brain.db.executemany("insert into temp.ages values (?, ?)", ages(work.now))


def ages(now: datetime) -> Iterator[tuple[str, float]]:
    """Each moment by which a further full period has gone by, and the share that is left then; ends with the least.

    >>> [(moment[:10], share) for moment, share in ages(datetime.fromisoformat("2026-06-01T00:00:00Z"))][:2]
    [('2026-03-03', 0.9), ('2025-12-03', 0.81)]
    """
    share, moment = 1.0, now
    while share > FLOOR:
        share, moment = max(FLOOR, round(share * RATE, 6)), moment - PERIOD
        yield timestamp(moment)[:19], share
