"""Job 3: of facts that say the same word for word one stands, and is the surer for it."""

from __future__ import annotations

from typing import Final

from cortex.compactor.job import JobReport, Work, removal
from cortex.compactor.sayings import cased
from cortex.substrate.archive import corroborate
from cortex.substrate.statements import sql

NAME: Final = "exact_duplicates"


def exact_duplicates(work: Work) -> JobReport:
    """Merge equal statements into the one of highest authority, then earliest."""
    return removal(work, NAME, lambda: _find(work), lambda: _corroborated(work))


def _corroborated(work: Work) -> int:
    """Make the survivors surer; they do not count as changed."""
    db = work.brain.db
    db.execute("delete from temp.recounting")
    db.execute("insert or ignore into temp.recounting (handle) select merged_into from temp.leaving")
    corroborate(work.brain, run_id=work.run_id)
    return 0


def _find(work: Work) -> None:
    db = work.brain.db
    apart = db.execute(sql("compaction.written_apart"), work.values()).fetchall()
    db.execute("delete from temp.written")
    db.executemany(
        "insert into temp.written values (?, ?)", ((fact, "\n".join(sorted(cased(said)))) for fact, said in apart)
    )
    db.execute(sql("compaction.find_exact_duplicates"), work.values())
