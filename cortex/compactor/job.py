"""What every job of a compaction is given, does and reports, contradictions among it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from time import sleep
from typing import Annotated, Final, Literal

from pydantic import Field

from cortex.substrate.archive import archive_leaving, begin_removal, examples, next_leave, wait_to_leave
from cortex.substrate.brain import Brain
from cortex.substrate.facts import count_facts, plain, stands
from cortex.substrate.model import Value

Ground = Literal["negation", "number", "choice", "superseded"]

GRADE: Final[dict[Ground, float]] = {"superseded": 0.9, "choice": 0.8, "number": 0.7, "negation": 0.7}
"""How sure each ground is."""


class Side(Value):
    """One of two facts that disagree."""

    handle: str
    statement: str
    authority: float


class Contradiction(Value):
    """Two facts that cannot both stand."""

    source: str
    ground: Ground
    reason: str = Field(description="how they disagree, in words")
    grade: float = Field(description="how sure that they disagree, 0 to 1")
    stands: Side = Field(description="the one that outranks: what replaced, else of higher authority, else the later")
    outranked: Side


DOUBT: Final = 0.2  # how much less sure it is where only one of two names the part of the project it speaks of


def contradiction(
    source: str, ground: Ground, reason: str, stands: Side, outranked: Side, *, doubtful: bool = False
) -> Contradiction:
    """A contradiction of the grade of its ground."""
    grade = round(GRADE[ground] - DOUBT * doubtful, 2)
    return Contradiction(source=source, ground=ground, reason=reason, grade=grade, stands=stands, outranked=outranked)


EXAMPLES: Final = 3
PART: Final = 30_000  # facts that one transaction takes out: about two seconds in which nobody else writes
MANY: Final = 5000
PAUSE_S: Final = 0.2  # between two of them: who waits for SQLite's lock looks at it every tenth of a second
Progress = Callable[[str, int, int | None], None]
"""Told a stage's name, how many of it are done since the last call, and how many there are in all, if that is known."""


@dataclass(frozen=True)  # no model: to build its schema takes a third of cleaning a small brain
class Example:
    """One fact a job changed."""

    handle: str
    statement: str
    said: Annotated[str, Field(description="the words of its record alone, as one line of prose")]
    reason: str
    merged_into: str | None = None


@dataclass(frozen=True)
class Work:
    """One source in the hands of one run.

    Attributes:
        changed: how many facts each job has changed for good so far.
        contradictions: what was found of them.
    """

    brain: Brain
    source_id: int
    source: str
    run_id: int
    now: datetime
    progress: Progress = lambda *_: None
    changed: Counter[str] = field(default_factory=Counter)
    contradictions: list[Contradiction] = field(default_factory=list)

    def count(self) -> int:
        """How many facts stand."""
        return count_facts(self.brain, [self.source_id])

    def wrote(self, facts: int) -> None:
        """Let those who ask read from the file itself, where what was written of so many *facts* is worth the time."""
        if facts >= MANY:
            self.brain.settle()

    def in_parts(self, job: str, next_part: Callable[[], bool], write: Callable[[], int]) -> None:
        """Let *job* write a part in a transaction, as long as there is a next, and count what each changed."""
        more = next_part()
        while more:
            with self.brain.transaction():
                changed = write()
            self.changed[job] += changed
            self.wrote(self.changed[job])
            if more := next_part():
                sleep(PAUSE_S)

    def examples(self, of: Literal["leaving", "fading"]) -> Iterator[Example]:
        """The first facts that leave or fade."""
        found = examples(self.brain, of, limit=EXAMPLES, run_id=self.run_id)
        for handle, statement, excerpt, reason, merged_into in found:
            said = plain(excerpt) or statement
            yield Example(handle=handle, statement=statement, said=said, reason=reason, merged_into=merged_into)


Job = Callable[[Work], Sequence[Example]]
"""Does what it is named for to one source, and gives the first facts it changed."""


def removal(work: Work, job: str, find: Callable[[], None], after: Callable[[], int] = lambda: 0) -> Sequence[Example]:
    """Take out what *find* puts into `temp.leaving`.

    It is found before the transaction begins, so that writers wait for the writing alone; what somebody changed
    meanwhile stays. More than PART facts go in several transactions.

    Args:
        after: does in each transaction what follows from it, and says how many more facts that changed.
    """
    begin_removal(work.brain)
    seen = work.brain.data_version
    find()
    shown = [*work.examples("leaving")]
    wait_to_leave(work.brain)

    def leave() -> int:
        changed = work.brain.data_version != seen
        return archive_leaving(work.brain, run_id=work.run_id, job=job, changed=changed, now=work.now) + after()

    work.in_parts(job, partial(next_leave, work.brain, PART), leave)
    return [one for one in shown if not stands(work.brain, one.handle)]
