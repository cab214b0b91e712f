"""Job 3: of facts that say the same word for word one stands, and is the surer for it."""

from __future__ import annotations

from functools import partial
from typing import Final

from cortex.compactor.job import JobReport, Work, removal
from cortex.compactor.sayings import cased
from cortex.substrate.compaction import corroborate_survivors, find_exact_duplicates

NAME: Final = "exact_duplicates"


def exact_duplicates(work: Work) -> JobReport:
    """Merge equal statements into the one of highest authority, then earliest."""
    find = partial(find_exact_duplicates, work.brain, cased, source_id=work.source_id)
    return removal(work, NAME, find, partial(corroborate_survivors, work.brain, run_id=work.run_id))
