"""Job 1: facts whose record its origin no longer has go; what had merged into them speaks for itself again.

What had merged elsewhere corroborates no longer.
"""

from __future__ import annotations

from dataclasses import replace
from time import perf_counter
from typing import Final

from cortex.compactor.job import JobReport, Work, removal
from cortex.substrate.archive import corroborate, find_miscounted, find_revivable, revive
from cortex.substrate.statements import sql

NAME: Final = "orphans"


def orphans(work: Work) -> JobReport:
    """Take out what no record says any more; what comes back because of it counts as changed too."""
    started = perf_counter()
    report = removal(work, NAME, lambda: _find(work), lambda: _revived(work))
    waiting = "select exists (select 1 from temp.reviving) or exists (select 1 from temp.recounting)"
    if not work.brain.db.execute(waiting).fetchone()[0]:
        return report
    with work.brain.transaction():  # nothing leaves: an index run brought their records back, or was killed
        revived = _revived(work)
    return work.finished(replace(report, changed=report.changed + revived), started)


def _find(work: Work) -> None:
    work.brain.db.execute(sql("compaction.find_orphans"), work.values())
    work.brain.db.execute(sql("archive.find_unsaid"), work.values())
    find_revivable(work.brain, source_id=work.source_id)
    find_miscounted(work.brain, source_id=work.source_id)


def _revived(work: Work) -> int:
    corroborate(work.brain, run_id=work.run_id)
    revived = revive(work.brain, run_id=work.run_id)
    work.brain.db.execute("delete from temp.recounting")
    work.brain.db.execute("delete from temp.reviving")
    return revived
