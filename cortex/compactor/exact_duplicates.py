"""Job 3: of facts that say the same word for word one stands, and is the surer for it."""

from __future__ import annotations

from typing import Final

from cortex.compactor.job import JobReport, Work, removal
from cortex.compactor.sayings import cased
from cortex.substrate.statements import sql

NAME: Final = "exact_duplicates"
WORTH: Final = 0.05
"""Confidence that a survivor gains for each fact that said the same."""


def exact_duplicates(work: Work) -> JobReport:
    """Merge equal statements into the one of highest authority, then earliest."""
    return removal(work, NAME, lambda: _find(work), lambda: _corroborated(work))


def _corroborated(work: Work) -> int:
    """Make the survivors surer; they do not count as changed."""
    db = work.brain.db
    db.execute("delete from temp.fading")
    db.execute(sql("corroborated"), work.values(job=NAME))
    db.execute(sql("keep_confidence"), work.values())
    db.execute(sql("corroborate"), work.values(worth=WORTH))
    return 0


def _find(work: Work) -> None:
    """Fingerprints know no letter's case, but that of a path or an identifier tells two apart."""
    db = work.brain.db
    apart = db.execute(sql("written_apart"), work.values()).fetchall()
    db.execute("delete from temp.written")
    db.executemany(
        "insert into temp.written values (?, ?)", ((fact, "\n".join(sorted(cased(said)))) for fact, said in apart)
    )
    db.execute(sql("find_exact_duplicates"), work.values())
