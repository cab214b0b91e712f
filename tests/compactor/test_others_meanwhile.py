"""Others read and write while a compaction runs, and what they write counts."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing

import pytest

from cortex.compactor.job import Work
from cortex.compactor.run import compact
from cortex.substrate.statements import sql
from tests.compactor.brains import NOW, TODAY, Facts


@pytest.fixture
def other(facts: Facts) -> Iterator[sqlite3.Connection]:
    """Another program's connection, which does not wait for a lock."""
    with closing(sqlite3.connect(facts.brain.path, timeout=0, isolation_level=None)) as db:
        yield db


@pytest.mark.parametrize("dry_run", [True, False], ids=["dry run", "run"])
def test_others_write_while_facts_are_compared(facts: Facts, other: sqlite3.Connection, *, dry_run: bool) -> None:
    facts.add("Use WAL mode for every brain.")
    wrote: list[str] = []

    def write(stage: str, _done: int, _total: int | None) -> None:
        other.execute("insert into sources (name, created_at) values ('api', ?)", (TODAY,))
        wrote.append(stage)

    compact(facts.brain, source="web", dry_run=dry_run, progress=write, now=NOW)
    assert wrote == ["comparing facts"]


def test_what_was_written_after_the_finding_counts(facts: Facts, other: sqlite3.Connection) -> None:
    weak = facts.add("It may be so.", confidence=0.1)
    gone = facts.add("It may be otherwise.", confidence=0.1)
    work = Work(facts.brain, 1, "web", 0, NOW)
    found: list[set[str]] = []

    def find() -> None:
        low = "insert into temp.leaving (fact_id, reason) select id, handle from facts where confidence < 0.3"
        facts.db.execute(low)
        found.append({handle for (handle,) in facts.db.execute("select reason from temp.leaving")})
        if len(found) == 1:
            other.execute("update facts set confidence = 0.9 where handle = ?", (weak,))

    with work.applying(find):
        assert found == [{weak, gone}, {gone}]


def test_what_nobody_else_wrote_to_is_found_once(facts: Facts) -> None:
    facts.add("It may be so.", confidence=0.1)
    calls: list[int] = []
    with Work(facts.brain, 1, "web", 0, NOW).applying(lambda: calls.append(1)):
        assert calls == [1]


def test_a_fact_does_not_merge_into_one_that_became_lighter_meanwhile(facts: Facts) -> None:
    facts.add("Use WAL mode for every brain.", "doc:a.md", authority=0.9)
    facts.add("Use WAL mode for all brains.", "doc:b.md", authority=0.7)
    with Work(facts.brain, 1, "web", 0, NOW).applying(lambda: None):
        facts.db.execute(sql("leave_merged"), {"fact_id": 1, "survivor": 2})
        assert facts.db.execute("select * from temp.leaving").fetchall() == []
        facts.db.execute(sql("leave_merged"), {"fact_id": 2, "survivor": 1})
        assert [fact for fact, *_ in facts.db.execute("select * from temp.leaving")] == [2]


def test_a_dry_run_leaves_no_run_and_no_trace(facts: Facts) -> None:
    facts.add("It may be so.", confidence=0.1)
    before = facts.dump()
    done = compact(facts.brain, dry_run=True, now=NOW)
    assert (done.run, done.before, done.after) == (None, 1, 0)
    assert facts.dump() == before
    for table in ("runs", "facts_archive", "compared", "comparisons"):
        assert facts.db.execute(f"select count(*) from {table}").fetchone() == (0,)  # noqa: S608  names of tables


@pytest.mark.parametrize("again", [False, True], ids=["all new", "one compared before"])
def test_what_another_run_took_out_while_facts_are_compared_is_not_compared(
    facts: Facts, other: sqlite3.Connection, *, again: bool
) -> None:
    said = "Whoever renames a table in the brain also renames every index that stands on it"
    gone = facts.add(said, authority=0.9)
    if again:
        compact(facts.brain, now=NOW)
    facts.add(said + " too")
    took: list[str] = []

    def take(statement: str) -> None:
        if ("facts_compared.sql" if again else "facts_by_weight.sql") in statement and not took:
            other.execute("delete from facts where handle = ?", (gone,))
            took.append(gone)

    facts.db.set_trace_callback(take)
    done = compact(facts.brain, jobs=["near_duplicates"], now=NOW)
    assert (took, done.changed) == ([gone], 0)
