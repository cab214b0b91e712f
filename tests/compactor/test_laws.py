"""Laws of a compaction, over brains that hypothesis makes up."""

from __future__ import annotations

import random
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cortex.compactor.run import CLEANING, JOBS, compact
from cortex.compactor.undo import undo
from tests.brains import dump, hurry, indexes_agree
from tests.compactor.brains import NOW, Facts

WORDS = "brain reader writer table index lock session handle parser lexer of the a in and is".split()
STATEMENTS = [
    "use wal mode for every brain",
    "Use WAL mode for every brain.",
    *(" ".join((WORDS * 2)[start : start + 14]) for start in range(4)),
    *(" ".join((WORDS * 2)[start : start + 14]) + " 7" for start in range(2)),
    "Redis holds the sessions",
]


class Made(NamedTuple):
    statement: str
    ref: str
    source: str
    authority: float
    confidence: float
    age_days: int
    kind: str


made = st.builds(
    Made,
    st.sampled_from(STATEMENTS),
    st.sampled_from(["doc:a.md", "doc:b.md", "issue:1", "issue:2", "comment:1#5", "comment:2#6"]),
    st.sampled_from(["web", "api"]),
    st.sampled_from([0.6, 0.7, 0.95]),
    st.sampled_from([0.1, 0.31, 0.55, 0.8, 1.0]),
    st.integers(0, 900),
    st.sampled_from(["spec", "directive"]),
)
brains = st.lists(made, max_size=25, unique_by=lambda one: (one.statement, one.ref, one.source))


@contextmanager
def brain_of(rows: Sequence[Made]) -> Iterator[Facts]:
    with tempfile.TemporaryDirectory() as folder:
        facts = Facts(Path(folder) / "brain.db")
        hurry(facts.brain)
        for row in rows:
            touched = (NOW - timedelta(days=row.age_days)).strftime("%Y-%m-%dT%H:%M:%SZ")
            facts.add(
                row.statement, row.ref, source=row.source, authority=row.authority, confidence=row.confidence,
                kind=row.kind, touched_at=touched, valid_from=touched,
                gone="2026-05-01T00:00:00Z" if row.ref == "issue:2" else None,
            )  # fmt: skip
        yield facts
        facts.brain.close()


def said(facts: Facts) -> set[tuple[Any, ...]]:
    """The facts without what depends on the order they came in."""
    return set(facts.db.execute("select handle, statement, authority, confidence, corroboration from facts"))


@pytest.mark.parametrize("job", JOBS)
@given(brains)
@settings(max_examples=6)
def test_every_job_run_twice_changes_nothing_the_second_time(job: str, rows: list[Made]) -> None:
    with brain_of(rows) as facts:
        compact(facts.brain, jobs=[job], now=NOW)
        before = facts.dump()
        assert compact(facts.brain, jobs=[job], now=NOW).changed == 0
        assert facts.dump() == before


@given(brains)
@settings(max_examples=10)
def test_a_whole_run_twice_changes_nothing_the_second_time(rows: list[Made]) -> None:
    with brain_of(rows) as facts:
        compact(facts.brain, now=NOW)
        before = facts.dump()
        assert compact(facts.brain, now=NOW).changed == 0
        assert facts.dump() == before


@given(brains)
@settings(max_examples=10)
def test_undoing_a_run_leaves_the_facts_as_they_were(rows: list[Made]) -> None:
    with brain_of(rows) as facts:
        before = facts.dump()
        run = compact(facts.brain, now=NOW).run
        assert run
        undo(facts.brain, run, now=NOW)
        assert facts.dump() == before
        assert facts.db.execute("select count(*) from facts_archive").fetchone() == (0,)
        assert indexes_agree(facts.brain)


@given(brains, st.permutations([0, 1, 2]))
@settings(max_examples=10)
def test_undoing_runs_in_any_order_leaves_the_facts_as_they_were(rows: list[Made], order: list[int]) -> None:
    with brain_of(rows) as facts:
        before = facts.dump()
        runs = [compact(facts.brain, now=NOW + timedelta(days=85 * later)).run for later in range(3)]
        for place in order:
            undo(facts.brain, runs[place] or 0, now=NOW)
        assert facts.dump() == before


@given(brains)
@settings(max_examples=10)
def test_undone_and_done_again_is_done_once(rows: list[Made]) -> None:
    with brain_of(rows) as facts:
        run = compact(facts.brain, now=NOW).run
        after = facts.dump()
        undo(facts.brain, run or 0, now=NOW)
        compact(facts.brain, now=NOW)
        assert facts.dump() == after


@given(brains)
@settings(max_examples=8)
def test_a_dry_run_tells_what_a_run_does_and_does_nothing(rows: list[Made]) -> None:
    with brain_of(rows) as facts:
        before = facts.dump(), dump(facts.brain)
        dry = compact(facts.brain, dry_run=True, now=NOW)
        assert (facts.dump(), dump(facts.brain)) == before
        done = compact(facts.brain, now=NOW)
        assert [(ran.job, ran.changed, ran.examples) for ran in dry.jobs] == [
            (ran.job, ran.changed, ran.examples) for ran in done.jobs
        ]
        assert (dry.before, dry.after) == (done.before, done.after)


@given(brains, st.randoms(use_true_random=False))
@settings(max_examples=10)
def test_the_order_in_which_facts_came_makes_no_difference(rows: list[Made], chance: random.Random) -> None:
    shuffled = chance.sample(rows, len(rows))
    with brain_of(rows) as one, brain_of(shuffled) as other:
        compact(one.brain, now=NOW)
        compact(other.brain, now=NOW)
        assert said(one) == said(other)


@given(brains)
@settings(max_examples=10)
def test_a_merge_never_lowers_authority(rows: list[Made]) -> None:
    with brain_of(rows) as facts:
        compact(facts.brain, jobs=["exact_duplicates", "near_duplicates"], now=NOW)
        merged = "select a.authority, a.merged_into from facts_archive a"
        for authority, survivor in facts.db.execute(merged):
            at = "select max(authority) from (select authority from facts where handle = :h union all"
            at += " select authority from facts_archive where handle = :h)"
            assert facts.db.execute(at, {"h": survivor}).fetchone()[0] >= authority


@given(brains)
@settings(max_examples=8)
def test_no_source_is_changed_by_the_run_of_another(rows: list[Made]) -> None:
    with brain_of(rows) as facts:
        facts.source("web")
        before = facts.dump("api")
        compact(facts.brain, source="web", now=NOW)
        assert facts.dump("api") == before


@given(brains)
@settings(max_examples=8)
def test_what_is_taken_out_is_in_the_archive_with_its_run_and_reason(rows: list[Made]) -> None:
    with brain_of(rows) as facts:
        before = facts.handles()
        run = compact(facts.brain, now=NOW).run
        archived = facts.db.execute("select handle, run_id, job, reason from facts_archive").fetchall()
        assert {handle for handle, *_ in archived} == before - facts.handles()
        assert all(run_id == run and job in CLEANING and reason for _, run_id, job, reason in archived)
