"""Jobs 1, 2 and 3, which take facts out: orphans, low confidence and exact duplicates.

What had merged into a fact that goes speaks for itself again.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any, Final

from cortex.compactor.job import Example, Work, removal
from cortex.compactor.sayings import cased
from cortex.compactor.time_decay import ages
from cortex.substrate import compaction

THRESHOLD: Final = 0.30


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
