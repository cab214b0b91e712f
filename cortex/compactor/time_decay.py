"""Job 4: what nobody has touched for long is less sure, down to half of what it was."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from functools import partial
from typing import Final

from cortex.compactor.job import Example, Work
from cortex.substrate.archive import begin_removal
from cortex.substrate.compaction import fade, find_faded, next_fade, set_ages
from cortex.substrate.sources import timestamp

PERIOD: Final = timedelta(days=90)
RATE: Final = 0.90
FLOOR: Final = 0.5
PART: Final = 200_000  # facts that one transaction makes less sure


def time_decay(work: Work) -> Sequence[Example]:
    """Give every fact the confidence of its age; from the original one, so that nightly runs never compound."""
    begin_removal(work.brain)
    set_ages(work.brain, ages(work.now))
    seen = work.brain.data_version
    find_faded(work.brain, source_id=work.source_id)
    examples = [*work.examples("fading")]
    work.in_parts(
        "time_decay",
        partial(next_fade, work.brain, PART),
        lambda: fade(work.brain, run_id=work.run_id, changed=work.brain.data_version != seen),
    )
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
