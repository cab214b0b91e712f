"""Proving a brain: every excerpt is what its record says, every name follows from what it names, no index lies.

Mending takes wrong facts to the archive, builds indexes anew and gives room back.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from itertools import islice
from typing import Any, Final

from pydantic import Field

from cortex.substrate.archive import archive_leaving, begin_removal, leave
from cortex.substrate.brain import Brain
from cortex.substrate.identity import fingerprint, handle
from cortex.substrate.model import Value
from cortex.substrate.search import count_terms
from cortex.substrate.statements import column, run
from cortex.substrate.text_index import Name, engine_of

SHOWN: Final = 20
_STEP: Final = 1000


class Failure(Value):
    """One thing that does not hold."""

    what: str = Field(description="handle of the fact, or the table")
    problem: str
    of_table: bool = Field(default=False, exclude=True, description="it is no fact that fails, but the table")


class Verified(Value):
    """What was checked, and what failed."""

    facts: int
    records: int
    checks: tuple[str, ...]
    failures: tuple[Failure, ...] = Field(description="the first of them")
    failed: int = Field(description="how many there are in all")

    @property
    def holds(self) -> bool:
        """Whether nothing failed."""
        return self.failed == 0


def verify(brain: Brain, *, progress: Callable[[str, int, int | None], None] = lambda *_: None) -> Verified:
    """Check every fact against its record, and the tables against each other."""
    brain.restrict(None)
    facts, records = brain.db.execute("select (select count(*) from facts), (select count(*) from records)").fetchone()
    found = failures(brain, progress=progress)
    first = tuple(islice(found, SHOWN))
    failed = len(first) + sum(1 for _ in found)
    return Verified(facts=facts, records=records, checks=CHECKS, failures=first, failed=failed)


FULL_TEXT: Final[Mapping[str, Name]] = {"facts_fts": "facts", "records_fts": "passages"}
CHECKS: Final = ("excerpts", "handles", "fingerprints", "references between tables", "pages", "full-text indexes")


def failures(brain: Brain, *, progress: Callable[[str, int, int | None], None] = lambda *_: None) -> Iterator[Failure]:
    """Whatever does not hold, as it is found."""
    brain.restrict(None)
    (facts,) = brain.db.execute("select count(*) from facts").fetchone()
    yield from (Failure(what=what, problem=problem, of_table=True) for what, problem in brain.broken())
    cursor = run(brain, "facts.facts_to_verify")
    record, body = None, ""
    while batch := [*islice(cursor, _STEP)]:
        for record_id, named, *fact in batch:
            if record_id != record:
                record = record_id
                (body,) = brain.db.execute("select body from records where id = ?", (record,)).fetchone()
            yield from (Failure(what=named, problem=problem) for problem in _problems(body, named, fact))
        progress("verifying facts", len(batch), facts)
    examined = engine_of(brain.db).examined(brain.db, read_only=brain.read_only)
    for table, holds in zip(FULL_TEXT, examined, strict=True):
        progress(f"verifying {table}", 1, 1)
        if not holds:
            yield Failure(what=table, problem="the index does not hold what its rows say", of_table=True)


def _problems(body: str, named: str, fact: Sequence[Any]) -> Iterator[str]:
    statement, excerpt, start, end, printed, source, ref, at_home = fact
    if not start <= end <= len(body):
        yield f"its excerpt lies outside {ref}: {start}-{end} of {len(body)} characters"
    elif body[start:end] != excerpt:
        yield f"its excerpt is not what {ref} says at {start}-{end}"
    if fingerprint(statement) != printed:
        yield "its fingerprint is not that of its statement"
    if handle(source, ref, statement) != named:
        yield "its handle is not that of its source, record and statement"
    if not at_home:
        yield f"it belongs to another source than {ref}"


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
            engine_of(db).rebuild(db, FULL_TEXT[name])
    begin_removal(brain)
    with brain.transaction() as db:
        failing = "select id from facts where handle in (select value from json_each(:handles))"
        leave(brain, column(brain, failing, handles=wrong), "verify found it wrong")
        run(brain, "facts.read_again")
        for (record_id,) in db.execute("select record_id from temp.leaving join facts on id = fact_id").fetchall():
            db.execute("delete from promotions where record_id = ?", (record_id,))
        facts = archive_leaving(brain, run_id=None, job="replaced", now=now)
        count_terms(brain)
    return Mended(indexes=indexes, facts=facts, returned=brain.give_back())
