"""Mending what a verification found: wrong facts go to the archive, indexes are built anew from their rows."""

from __future__ import annotations

import json
from datetime import datetime

from pydantic import Field

from cortex.substrate.archive import archive_leaving, begin_removal
from cortex.substrate.brain import Brain
from cortex.substrate.model import Value
from cortex.substrate.search import count_terms
from cortex.substrate.statements import sql
from cortex.substrate.verify import FULL_TEXT, failures


class Mended(Value):
    """What was put right."""

    indexes: tuple[str, ...] = Field(description="full-text indexes that were built anew")
    facts: int = Field(description="that did not hold and were archived; indexing with --again makes them anew")


def mend(brain: Brain, *, now: datetime) -> Mended:
    """Build anew what does not agree with its rows, take out facts that do not hold, and count the terms.

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
    return Mended(indexes=indexes, facts=facts)
