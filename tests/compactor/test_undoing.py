"""Undoing compactions, in any order and with anything indexed in between, leaves what would stand without them."""

from __future__ import annotations

import random
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

from hypothesis import given, settings
from hypothesis import strategies as st

from cortex.compactor.run import compact
from cortex.compactor.undo import undo
from cortex.indexers.feeds import project_feeds
from cortex.indexers.run import index
from tests.brains import hurry, open_new
from tests.compactor.brains import NOW, Facts

SAYINGS = [
    "We decided to keep the sessions of every reader in Redis.",
    "We decided to keep the sessions of every reader also in Redis.",
    "The gateway must log every request of its callers.",
    "The gateway must log each request of its callers.",
]
FOR_GOOD = timedelta(days=100_000)


class Page(NamedTuple):
    """A document as it is written next; nothing in it takes it away."""

    number: int
    says: str
    updated: int


class Step(NamedTuple):
    pages: tuple[Page, ...]
    days: int
    compacts: bool


pages = st.builds(Page, st.integers(0, 5), st.sampled_from(["", *SAYINGS]), st.sampled_from([2024, 2026]))
steps = st.lists(
    st.builds(Step, st.lists(pages, max_size=4).map(tuple), st.sampled_from([0, 100]), st.booleans()),
    min_size=2,
    max_size=6,
)


class Tree:
    """A folder of documents and a brain that reads it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "docs"
        self.folder.mkdir()
        self.brain = open_new(folder / "brain.db")
        hurry(self.brain)

    def write(self, page: Page) -> None:
        path = self.folder / f"{page.number}.md"
        path.unlink(missing_ok=True)
        if page.says:
            path.write_text(
                f"---\nupdated: {page.updated}-05-01\n---\n\n# Platform\n\n## Rules\n\n- {page.says}\n", "utf-8"
            )

    def read(self, now: datetime) -> None:
        index(self.brain, project_feeds(self.folder, "docs"), source="docs", now=now)

    def compact(self, now: datetime) -> int:
        return compact(self.brain, kept=FOR_GOOD, now=now).run or 0

    def says(self) -> set[tuple[Any, ...]]:
        said = "handle, statement, authority, confidence, base_confidence, corroboration, touched_at"
        return set(self.brain.db.execute(f"select {said} from facts"))  # noqa: S608  names of columns

    def counts(self) -> list[tuple[str, float, int]]:
        return self.brain.db.execute("select handle, confidence, corroboration from facts order by handle").fetchall()


@contextmanager
def tree() -> Iterator[Tree]:
    with tempfile.TemporaryDirectory() as folder:
        made = Tree(Path(folder))
        yield made
        made.brain.close()


def lived(one: Tree, through: Iterable[Step], *, compacting: bool) -> list[int]:
    """The runs of a tree that goes *through* some steps."""
    runs, now = [], NOW
    for number in range(3):
        one.write(Page(number, SAYINGS[0], 2026))
    for step in through:
        now += timedelta(days=step.days)
        for page in step.pages:
            one.write(page)
        one.read(now)
        if step.compacts and compacting:
            runs.append(one.compact(now))
    return runs


@given(steps, st.randoms(use_true_random=False))
@settings(max_examples=8)
def test_undoing_all_that_ran_leaves_what_indexing_alone_makes(through: list[Step], chance: random.Random) -> None:
    with tree() as one, tree() as other:
        runs = lived(one, through, compacting=True)
        lived(other, through, compacting=False)
        for run in chance.sample(runs, len(runs)):
            undo(one.brain, run, now=NOW)
        assert one.says() == other.says()


@given(steps)
@settings(max_examples=8)
def test_whatever_was_indexed_a_second_run_changes_nothing(through: list[Step]) -> None:
    with tree() as one:
        lived(one, through, compacting=True)
        now = NOW + timedelta(days=1000)
        one.compact(now)
        before = one.says()
        assert compact(one.brain, kept=FOR_GOOD, now=now).changed == 0
        assert one.says() == before


def test_a_run_undone_before_a_later_one_leaves_what_the_later_one_alone_makes(facts: Facts) -> None:
    kept = facts.add("Use WAL mode.", "doc:a.md", authority=0.9)
    facts.add("Use WAL mode.", "doc:b.md")
    first = compact(facts.brain, now=NOW).run or 0
    facts.add("Use WAL mode.", "doc:c.md")
    compact(facts.brain, now=NOW)
    facts.add("Use WAL mode.", "doc:d.md")
    third = compact(facts.brain, now=NOW).run or 0
    assert standing(facts, kept) == (0.95, 3)
    undo(facts.brain, first, now=NOW)
    assert standing(facts, kept) == (0.9, 2)
    undo(facts.brain, third, now=NOW)
    assert standing(facts, kept) == (0.85, 1)


def test_what_merged_by_way_of_another_counts_no_more_once_it_stands_again(facts: Facts) -> None:
    middle = facts.add("Use WAL mode.", "doc:a.md")
    facts.add("Use WAL mode.", "doc:b.md", authority=0.6)
    first = compact(facts.brain, now=NOW).run or 0
    heavy = facts.add("Use WAL mode.", "doc:c.md", authority=0.9)
    second = compact(facts.brain, now=NOW).run or 0
    assert standing(facts, heavy) == (0.9, 2)
    undo(facts.brain, first, now=NOW)
    assert standing(facts, heavy) == (0.85, 1)
    undo(facts.brain, second, now=NOW)
    assert (standing(facts, heavy), standing(facts, middle)) == ((0.8, 0), (0.8, 0))


def standing(facts: Facts, handle: str) -> tuple[float, int]:
    """How sure a fact is, and how many said the same."""
    found = facts.db.execute("select confidence, corroboration from facts where handle = ?", (handle,)).fetchone()
    return round(found[0], 6), found[1]


def test_only_what_is_said_still_corroborates() -> None:
    with tree() as one:
        for number in range(2):
            one.write(Page(number, SAYINGS[0], 2026))
        one.read(NOW)
        one.compact(NOW)
        ((survivor, sure, said),) = one.counts()
        assert said == 1
        (merged,) = one.brain.db.execute("select record_ref from facts_archive").fetchone()
        path = one.folder / merged.removeprefix("doc:").partition("#")[0]
        for name in ("first.md", "second.md", "third.md"):
            path = path.rename(path.with_name(name))
            one.read(NOW)
            one.compact(NOW)
            assert one.counts() == [(survivor, sure, 1)]
        path.unlink()
        one.read(NOW)
        one.compact(NOW)
        ((_, alone, said),) = one.counts()
        assert (said, round(sure - alone, 6)) == (0, 0.05)
