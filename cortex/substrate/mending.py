"""Mending what a verification found: wrong facts go to the archive, indexes are built anew, room is given back."""

from __future__ import annotations

import json
from datetime import datetime
from typing import Final

from pydantic import Field

from cortex.substrate.archive import archive_leaving, begin_removal
from cortex.substrate.brain import Brain, translated
from cortex.substrate.model import Value
from cortex.substrate.search import count_terms
from cortex.substrate.statements import sql
from cortex.substrate.verify import FULL_TEXT, failures

_COUNTS: Final = ("page_size", "page_count", "freelist_count")


class Mended(Value):
    """What was put right."""

    indexes: tuple[str, ...] = Field(description="full-text indexes that were built anew")
    facts: int = Field(description="that did not hold and were archived; indexing with --again makes them anew")
    returned: int = Field(description="bytes of the file that held nothing and were given back to the disk")


def mend(brain: Brain, *, now: datetime) -> Mended:
    """Build anew what does not agree with its rows, take out facts that do not hold, and count the terms.

    A file of which more than half holds nothing is made as small as what it holds.

    The records of those facts count as not read: what their origin says replaces them at the next full reading.
    """
    wrong = [failure.what for failure in failures(brain)]
    indexes = tuple(name for name in FULL_TEXT if name in wrong)
    with brain.transaction() as db:
        for name in indexes:
            db.execute(f"insert into {name} ({name}) values ('rebuild')")  # noqa: S608  one of two names
    begin_removal(brain)
    with brain.transaction() as db:
        db.execute(sql("failing_facts"), {"handles": json.dumps(wrong, ensure_ascii=False)})
        db.execute(sql("read_again"))
        db.execute(sql("promote_again"))
        facts = archive_leaving(brain, run_id=None, job="replaced", now=now)
        count_terms(db)
    return Mended(indexes=indexes, facts=facts, returned=_give_back(brain))


def spare(brain: Brain) -> int:
    """Bytes of the brain's file that hold nothing."""
    page, pages, free = (brain.db.execute(f"pragma {name}").fetchone()[0] for name in _COUNTS)
    return int(brain.path.stat().st_size - page * (pages - free))


def _give_back(brain: Brain) -> int:
    before = brain.path.stat().st_size
    if spare(brain) * 2 <= before:
        return 0
    with translated(brain.path):
        brain.db.execute("vacuum")
        brain.db.execute("pragma wal_checkpoint(truncate)")
    return max(0, before - brain.path.stat().st_size)
