"""Jobs 1 to 4: orphans, low confidence and exact duplicates go, and what nobody touched for long is less sure.

What had merged into a fact that goes speaks for itself again.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from functools import partial
from typing import Any, Final

from cortex.compactor.job import Example, Work, removal
from cortex.compactor.near_duplicates import cased
from cortex.substrate import compaction
from cortex.substrate.archive import begin_removal
from cortex.substrate.sources import timestamp

THRESHOLD: Final = 0.30
PERIOD: Final = timedelta(days=90)
RATE: Final = 0.90
FLOOR: Final = 0.5
PART: Final = 200_000  # facts that one transaction makes less sure


def orphans(work: Work) -> Sequence[Example]:
    """Take out what no record says any more; what comes back because of it counts as changed too.

    What had merged elsewhere corroborates no longer.
    """
    find = partial(compaction.find_orphans, work.brain, source_id=work.source_id)
    after = partial(compaction.revive_found, work.brain, run_id=work.run_id)
    gone = removal(work, "orphans", find, after)
    if compaction.waits_for_revival(work.brain):  # nothing left: an index run brought their records back, or was killed
        with work.brain.transaction():
            revived = after()
        work.changed["orphans"] += revived
    return gone


def low_confidence(work: Work) -> Sequence[Example]:
    """Take out what is below 0.30, as old as it is now: what tonight's decay takes below goes tonight."""
    compaction.set_ages(work.brain, ages(work.now))
    below: dict[str, Any] = {"source_id": work.source_id, "threshold": THRESHOLD}
    find = partial(compaction.find_low, work.brain, **below, every=True)
    after = partial(compaction.revive_low, work.brain, **below, run_id=work.run_id, job="low_confidence", now=work.now)
    return removal(work, "low_confidence", find, after)


def exact_duplicates(work: Work) -> Sequence[Example]:
    """Merge statements equal word for word into the one of highest authority, then earliest, which is surer for it."""
    find = partial(compaction.find_exact_duplicates, work.brain, cased, source_id=work.source_id)
    after = partial(compaction.corroborate_survivors, work.brain, run_id=work.run_id)
    return removal(work, "exact_duplicates", find, after)


def time_decay(work: Work) -> Sequence[Example]:
    """Give every fact the confidence of its age; from the original one, so that nightly runs never compound."""
    begin_removal(work.brain)
    compaction.set_ages(work.brain, ages(work.now))
    seen = work.brain.data_version
    compaction.find_faded(work.brain, source_id=work.source_id)
    examples = [*work.examples("fading")]
    next_part = partial(compaction.next_fade, work.brain, PART)
    fade = partial(compaction.fade, work.brain, run_id=work.run_id)
    work.in_parts("time_decay", next_part, lambda: fade(changed=work.brain.data_version != seen))
    return examples


def ages(now: datetime) -> Iterator[tuple[str, float]]:
    """Each moment by which a further full period has gone by, and the share that is left then; ends with the least.

    >>> [(moment[:10], share) for moment, share in ages(datetime.fromisoformat("2026-06-01T00:00:00Z"))][:2]
    [('2026-03-03', 0.9), ('2025-12-03', 0.81)]
    """
    share, moment = 1.0, now
    while share > FLOOR:
        share, moment = max(FLOOR, round(share * RATE, 6)), moment - PERIOD
        yield timestamp(moment)[:19], share
