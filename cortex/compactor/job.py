"""What every job of a compaction is given, does and reports."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from time import perf_counter
from typing import Any, Final

from pydantic import Field

from cortex.compactor.disagreement import Contradiction
from cortex.substrate.archive import begin_removal
from cortex.substrate.brain import Brain
from cortex.substrate.facts import plain
from cortex.substrate.model import Value
from cortex.substrate.sources import timestamp
from cortex.substrate.statements import sql

EXAMPLES: Final = 3

Progress = Callable[[str, int, int | None], None]
"""Told a stage's name, how many of it are done since the last call, and how many there are in all, if that is known."""


class Example(Value):
    """One fact a job changed."""

    handle: str
    statement: str
    said: str = Field(description="the words of its record alone, as one line of prose")
    reason: str
    merged_into: str | None = None


class JobReport(Value):
    """What a job did to one source."""

    job: str
    source: str
    looked_at: int = Field(description="facts that stood when it began")
    changed: int
    left: int = Field(0, description="facts that stand when it is done")
    seconds: float = 0.0
    examples: tuple[Example, ...] = ()
    contradictions: tuple[Contradiction, ...] = ()


@dataclass(frozen=True)
class Work:
    """One source in the hands of one run."""

    brain: Brain
    source_id: int
    source: str
    run_id: int
    now: datetime
    progress: Progress = lambda *_: None

    @contextmanager
    def applying(self, find: Callable[[], None]) -> Iterator[None]:
        """The transaction that applies what *find* found before it: writers wait for the writing alone.

        What somebody wrote meanwhile may have changed what there is to find: then it is found again, within.
        """
        begin_removal(self.brain)
        seen = self._version()
        find()
        with self.brain.transaction():
            if self._version() != seen:
                begin_removal(self.brain)
                find()
            yield

    def _version(self) -> int:
        """A number that another one follows when somebody else has written."""
        return int(self.brain.db.execute("pragma data_version").fetchone()[0])

    def values(self, **others: Any) -> dict[str, Any]:  # noqa: ANN401  what SQLite takes
        """What the statements of a job ask for."""
        return {"source_id": self.source_id, "run_id": self.run_id, "now": timestamp(self.now), **others}

    def count(self) -> int:
        """How many facts stand."""
        held = "select count(*) from facts where source_id = ?"
        (number,) = self.brain.db.execute(held, (self.source_id,)).fetchone()
        return int(number)

    def report(self, job: str, looked_at: int, changed: int, examples: str) -> JobReport:
        """The report of a job, with the first rows of `temp.leaving` or `temp.fading`, whichever *examples* says."""
        shown = tuple(self._examples(examples)) if changed else ()
        return JobReport(job=job, source=self.source, looked_at=looked_at, changed=changed, examples=shown)

    def finished(self, report: JobReport, started: float) -> JobReport:
        """*report* with what is left, and how long it took since *started*."""
        return report.model_copy(update={"left": self.count(), "seconds": round(perf_counter() - started, 3)})

    def _examples(self, name: str) -> Iterator[Example]:
        rows = self.brain.db.execute(sql(f"examples_{name}"), {"limit": EXAMPLES, "run_id": self.run_id})
        for handle, statement, excerpt, reason, merged_into in rows:
            said = plain(excerpt) or statement
            yield Example(handle=handle, statement=statement, said=said, reason=reason, merged_into=merged_into)


Job = Callable[[Work], JobReport]


def leaving(work: Work) -> int:
    """How many facts are about to go."""
    return int(work.brain.db.execute("select count(*) from temp.leaving").fetchone()[0])
