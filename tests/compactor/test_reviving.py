"""What was merged into a fact speaks for itself in the run that drops that one, and undoing takes that back too."""

from __future__ import annotations

import random
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cortex.compactor.run import compact
from cortex.compactor.undo import undo
from cortex.errors import UnknownRun
from tests.compactor.brains import NOW, TODAY, Facts
from tests.compactor.test_laws import Made, brain_of, made

OLD = "2010-01-01T00:00:00Z"
State = tuple[list[tuple[Any, ...]], ...]


class Night(NamedTuple):
    """What happens before a compaction, and how long after the one before it runs."""

    days: int
    gone: frozenset[str]
    """Records that their origin no longer has."""


nights = st.lists(
    st.builds(Night, st.sampled_from([0, 85, 200, 500]), st.frozensets(st.sampled_from(["doc:a.md", "issue:1"]))),
    min_size=2,
    max_size=4,
)
alike = st.lists(made, min_size=2, max_size=20, unique_by=lambda one: (one.statement, one.ref, one.source))
FOR_GOOD = timedelta(days=100_000)


def state(facts: Facts) -> State:
    """All that a compaction writes, but for its runs and its index."""
    tables = ("facts", "facts_archive", "facts_revived", "confidence_before")
    return tuple(facts.db.execute(f"select * from {table} order by 1, 2, 3").fetchall() for table in tables)  # noqa: S608  names of tables


def dawn(facts: Facts, night: Night) -> None:
    for ref in ("doc:a.md", "issue:1"):
        facts.db.execute("update records set gone_at = ? where ref = ?", (TODAY if ref in night.gone else None, ref))


def run(facts: Facts, now: datetime) -> int:
    return compact(facts.brain, kept=FOR_GOOD, now=now).run or 0


@given(alike, nights)
@settings(max_examples=6)
def test_whatever_happened_a_second_and_a_third_run_change_nothing(rows: list[Made], between: list[Night]) -> None:
    now = NOW
    with brain_of(rows) as facts:
        for night in between:
            now += timedelta(days=night.days)
            dawn(facts, night)
            compact(facts.brain, now=now)
            before = state(facts)
            for again in range(1, 3):
                done = compact(facts.brain, now=now + timedelta(seconds=again))
                assert (done.changed, done.pruned) == (0, 0)
                assert state(facts) == before


@given(alike, nights)
@settings(max_examples=6)
def test_whatever_happened_undoing_a_run_leaves_all_as_it_was(rows: list[Made], between: list[Night]) -> None:
    now = NOW
    with brain_of(rows) as facts:
        for night in between:
            now += timedelta(days=night.days)
            dawn(facts, night)
            before = state(facts)
            undo(facts.brain, run(facts, now), now=now)
            assert state(facts) == before
            run(facts, now)


@given(alike, nights, st.randoms(use_true_random=False))
@settings(max_examples=8)
def test_runs_undone_in_any_order_leave_the_facts_as_they_were(
    rows: list[Made], between: list[Night], chance: random.Random
) -> None:
    now, runs = NOW, []
    with brain_of(rows) as facts:
        before = facts.dump()
        for night in between:
            now += timedelta(days=night.days)
            dawn(facts, night)
            runs.append(run(facts, now))
        for number in chance.sample(runs, len(runs)):
            undo(facts.brain, number, now=now)
        assert facts.dump() == before
        assert facts.db.execute("select count(*) from facts_archive").fetchone() == (0,)
        assert facts.db.execute("select count(*) from facts_revived").fetchone() == (0,)


def merged(facts: Facts, *, survivor: float = 0.55, other: float = 0.8) -> tuple[str, str]:
    """A survivor, and what was merged into it."""
    heavy = facts.add("Use WAL mode.", "doc:a.md", authority=0.9, confidence=survivor)
    light = facts.add("Use WAL mode.", "doc:b.md", confidence=other)
    compact(facts.brain, now=NOW)
    assert facts.handles() == {heavy}
    return heavy, light


def weaken(facts: Facts, handle: str) -> None:
    facts.db.execute("update facts set confidence = 0.1, base_confidence = 0.1 where handle = ?", (handle,))


def test_what_was_merged_stands_again_in_the_run_that_drops_its_survivor(facts: Facts) -> None:
    heavy, light = merged(facts)
    weaken(facts, heavy)
    done = compact(facts.brain, now=NOW)
    assert (facts.handles(), done.changed) == ({light}, 2)
    assert compact(facts.brain, now=NOW).changed == 0


def test_what_comes_back_too_weak_goes_in_the_same_run(facts: Facts) -> None:
    heavy, _ = merged(facts, other=0.31)
    weaken(facts, heavy)
    later = NOW + timedelta(days=100)
    compact(facts.brain, now=later)
    assert facts.handles() == set()
    assert compact(facts.brain, now=later).changed == 0


def test_undoing_a_run_that_brought_facts_back_puts_them_away_again(facts: Facts) -> None:
    heavy, light = merged(facts)
    weaken(facts, heavy)
    before = state(facts)
    undo(facts.brain, compact(facts.brain, now=NOW).run or 0, now=NOW)
    assert state(facts) == before
    assert facts.archived(light)["merged_into"] == heavy


def test_what_came_back_stays_where_its_survivor_cannot(facts: Facts) -> None:
    heavy, light = merged(facts)
    weaken(facts, heavy)
    done = compact(facts.brain, now=NOW).run or 0
    facts.db.execute("update records set content_hash = 'another' where ref = 'doc:a.md'")
    undone = undo(facts.brain, done, now=NOW)
    assert (undone.restored, undone.left, facts.handles()) == (0, 1, {light})


def test_a_new_fact_under_an_old_number_keeps_its_confidence(facts: Facts) -> None:
    faded = facts.add("Use WAL mode.", touched_at=OLD)
    done = compact(facts.brain, now=NOW).run or 0
    facts.db.execute("delete from facts where handle = ?", (faded,))
    newer = facts.add("Another thing altogether.", "doc:b.md", confidence=0.9)
    undo(facts.brain, done, now=NOW)
    assert facts.confidence(newer) == 0.9


@pytest.mark.parametrize("taken", range(1, 7))
def test_facts_whose_numbers_others_have_by_now_come_back_under_new_ones(facts: Facts, taken: int) -> None:
    before = [facts.add("Use WAL mode.", f"doc:{number}.md") for number in range(6)]
    survivor = min(before)
    done = compact(facts.brain, now=NOW).run or 0
    newer = {facts.add(f"Another thing, {number}.", f"doc:new{number}.md", id=number + 1) for number in range(taken)
             if before[number] != survivor}  # fmt: skip
    assert undo(facts.brain, done, now=NOW).restored == 5
    assert facts.handles() == {*before} | newer


def days(number: int) -> datetime:
    return NOW + timedelta(days=number)


def archived(facts: Facts) -> Sequence[str]:
    return [handle for (handle,) in facts.db.execute("select handle from facts_archive order by id")]


def test_a_merged_fact_is_kept_from_the_day_its_survivor_went(facts: Facts) -> None:
    heavy, light = merged(facts)
    compact(facts.brain, now=days(300))
    assert archived(facts) == [light]
    facts.db.execute("update records set content_hash = 'another' where ref = 'doc:b.md'")
    weaken(facts, heavy)
    assert compact(facts.brain, now=days(300)).pruned == 0
    assert compact(facts.brain, now=days(479)).pruned == 0
    assert archived(facts) == [light, heavy]
    assert compact(facts.brain, now=days(481)).pruned == 2
    assert compact(facts.brain, now=days(481)).pruned == 0


def test_a_run_whose_facts_the_archive_forgot_cannot_be_undone(facts: Facts) -> None:
    facts.add("It may be so.", confidence=0.1)
    facts.add("Use WAL mode.", "doc:a.md")
    facts.add("Use WAL mode.", "doc:b.md")
    done = compact(facts.brain, now=NOW).run or 0
    compact(facts.brain, now=days(181))
    before = state(facts)
    with pytest.raises(UnknownRun, match="no longer keeps"):
        undo(facts.brain, done, now=days(181))
    assert state(facts) == before


def test_one_source_forgets_nothing_of_another(facts: Facts) -> None:
    facts.add("Use WAL mode.", source="web", touched_at=OLD)
    facts.source("api")
    compact(facts.brain, source="web", now=NOW)
    before = state(facts)
    compact(facts.brain, source="api", now=days(400))
    assert state(facts) == before
