"""Others read and write while a compaction runs, and what they write counts."""

from __future__ import annotations

import resource
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import timedelta

import pytest

from cortex.compactor import job
from cortex.compactor.run import compact
from cortex.compactor.undo import undo
from cortex.errors import CompactionStopped, CompactionUnfinished, StillRunning, UnknownRun
from cortex.substrate.address import is_database
from cortex.substrate.search import count_terms
from cortex.substrate.status import start_run
from tests.brains import open_new, trace
from tests.compactor.brains import NOW, TODAY, Facts


@pytest.fixture
def other(facts: Facts) -> Iterator[sqlite3.Connection]:
    """Another program's connection, which does not wait for a lock."""
    if is_database(facts.brain.path):
        with open_new(facts.brain.path) as brain:
            brain.db.execute("set lock_timeout = '1ms'")
            yield brain.db
        return
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


@pytest.mark.parametrize("alive", [True, False], ids=["alive", "killed"])
def test_a_run_is_taken_back_only_when_nobody_is_at_work_on_it(facts: Facts, *, alive: bool) -> None:
    facts.add("It may be so.", confidence=0.1)
    refused: list[str] = []

    def take_back() -> None:
        trace(facts.brain, None)
        with open_new(facts.brain.path) as other:
            try:
                undo(other, 1, alive={"here:1": alive}.__getitem__, now=NOW)
            except StillRunning as error:
                refused.append(str(error))

    meanwhile(facts, "written_apart", take_back)
    run = compact(facts.brain, by="here:1", now=NOW).run
    assert run == 1
    if alive:
        assert refused == ["run 1 is still running (here:1); undo it when it has ended"]
        assert undo(facts.brain, run, now=NOW).restored == 1
    assert len(facts.handles()) == 1
    with pytest.raises(UnknownRun, match="was undone by run 2"):
        undo(facts.brain, run, now=NOW)


def test_a_run_that_began_long_ago_is_dead(facts: Facts) -> None:
    begun = start_run(facts.brain, "compact", source_id=None, now=NOW)
    with pytest.raises(StillRunning, match="is still running"):
        undo(facts.brain, begun, now=NOW + timedelta(hours=1))
    assert undo(facts.brain, begun, now=NOW + timedelta(hours=4)).restored == 0


def frequencies(facts: Facts) -> list[tuple[object, ...]]:
    return facts.db.execute("select * from term_frequencies where term <> ' ' order by 1, 2").fetchall()


@pytest.mark.of_a_file("a limit of SQLite's pages is a full disk")
def test_a_disk_that_is_full_after_the_jobs_is_told_with_the_number_of_the_run(facts: Facts) -> None:
    name = "a long name " * 4000  # more than the free room of a page, in the report
    for number in range(50):
        facts.add(f"It may be so, says number {number}.", source=name, confidence=0.1)
    facts.add("Use WAL mode.", source=name)
    with facts.brain.transaction():
        count_terms(facts.brain)
    before = frequencies(facts)
    compact(facts.brain, now=NOW)
    undo(facts.brain, 1, now=NOW)
    assert frequencies(facts) == before
    (pages,) = facts.db.execute("pragma page_count").fetchone()
    meanwhile(facts, "find_pruned", lambda: facts.db.execute(f"pragma max_page_count = {pages}"))
    with pytest.raises(CompactionUnfinished, match="the jobs of run 3 are done") as told:
        compact(facts.brain, now=NOW)
    assert told.value.hint.endswith("cortex compact --undo 3")


@pytest.fixture
def full(facts: Facts) -> Iterator[None]:
    """A brain to merge in; its disk has no room for a single page more once that is done and the index is kept."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    log = facts.brain.path.with_name(facts.brain.path.name + "-wal")

    def fill() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (log.stat().st_size, hard))

    facts.db.execute("pragma wal_autocheckpoint = 0")
    for number in range(60):
        facts.add(f"Table t{number} of the brain holds what its name says.", f"doc:{number}.md")
    assert log.stat().st_size > 2 * int(facts.db.execute("pragma page_count").fetchone()[0]) * 4096
    facts.db.set_trace_callback(lambda text: fill() if "into comparisons" in text else None)
    yield
    facts.db.set_trace_callback(None)
    resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@pytest.mark.of_a_file("a limit of what the process may write is a full disk")
@pytest.mark.usefixtures("full")
@pytest.mark.parametrize("merged", [0, 1])
def test_a_disk_that_is_full_in_a_job_is_told_with_what_stands_and_the_run_has_failed(
    facts: Facts, merged: int
) -> None:
    facts.add("We decided to keep sessions in Redis.", authority=0.9)
    if merged:
        facts.add("We decided to keep the sessions in Redis.", "doc:b.md")
    before = facts.dump()
    with pytest.raises(CompactionStopped) as told:
        compact(facts.brain, now=NOW)
    ended = "ended after 1 of its changes, which stand" if merged else "was rolled back"
    assert str(told.value).startswith(f"run 1 stopped: near_duplicates of web {ended}: cannot write ")
    assert told.value.hint.endswith("cortex compact --undo 1")
    assert len(before) - len(facts.dump()) == merged
    assert facts.db.execute("select status, finished_at is not null from runs").fetchall() == [("failed", 1)]
    undo(facts.brain, 1, now=NOW)
    assert facts.dump() == before


def meanwhile(facts: Facts, at: str, do: Callable[[], object]) -> None:
    """Let somebody else *do* something when the statement called *at* begins."""
    trace(facts.brain, lambda text: do() if f"-- name: {at}\n" in text else None)


@pytest.mark.parametrize(
    ("change", "stays"),
    [("update facts set confidence = 0.9 where handle = ?", True), ("delete from facts where handle = ?", False)],
    ids=["surer", "gone"],
)
def test_what_somebody_changed_after_the_finding_is_left_alone(
    facts: Facts, other: sqlite3.Connection, change: str, *, stays: bool
) -> None:
    weak = facts.add("It may be so.", confidence=0.1)
    gone = facts.add("It may be otherwise.", confidence=0.1)
    meanwhile(facts, "leave_next", lambda: other.execute(change, (weak,)))
    done = compact(facts.brain, jobs=["low_confidence"], now=NOW)
    assert (facts.handles(), done.changed) == ({weak} if stays else set(), 1)
    assert facts.archived(gone)["job"] == "low_confidence"
    assert gone in {example.handle for example in done.jobs[0].examples}
    assert not stays or weak not in {example.handle for example in done.jobs[0].examples}


def test_what_was_touched_after_the_finding_does_not_fade(facts: Facts, other: sqlite3.Connection) -> None:
    touched = facts.add("Use WAL mode.", touched_at="2020-01-01T00:00:00Z")
    faded = facts.add("Use a queue.", "doc:b.md", touched_at="2020-01-01T00:00:00Z")
    touch = "update facts set touched_at = ? where handle = ?"
    meanwhile(facts, "examples_fading", lambda: other.execute(touch, (TODAY, touched)))
    compact(facts.brain, jobs=["time_decay"], now=NOW)
    assert (facts.confidence(touched), facts.confidence(faded)) == (0.8, 0.4)


def test_a_fact_does_not_merge_into_one_that_became_lighter_meanwhile(facts: Facts, other: sqlite3.Connection) -> None:
    heavy = facts.add("Use WAL mode.", "doc:a.md", authority=0.9)
    light = facts.add("Use WAL mode.", "doc:b.md", authority=0.7)
    lighten = "update facts set authority = 0.5 where handle = ?"
    meanwhile(facts, "leave_next", lambda: other.execute(lighten, (heavy,)))
    assert compact(facts.brain, jobs=["exact_duplicates"], now=NOW).changed == 0
    trace(facts.brain, None)
    assert compact(facts.brain, jobs=["exact_duplicates"], now=NOW).changed == 1
    assert facts.handles() == {light}


def test_a_large_job_lets_others_write_in_between(
    facts: Facts, other: sqlite3.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(job, "PART", 2)
    for number in range(7):
        facts.add("Use WAL mode.", f"doc:{number}.md", confidence=0.5)
    before, wrote = facts.dump(), list[int]()

    def write() -> None:
        other.execute("update sources set location = ?", (str(len(wrote)),))
        wrote.append(len(facts.handles()))

    meanwhile(facts, "leave_next", write)
    run = compact(facts.brain, jobs=["exact_duplicates"], now=NOW)
    trace(facts.brain, None)
    assert (run.changed, wrote) == (6, [7, 5, 3, 1])
    (survivor,) = facts.handles()
    assert facts.confidence(survivor) == 0.8
    undo(facts.brain, run.run or 0, now=NOW)
    assert facts.dump() == before


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
    facts.add("Indeed " + said)
    took: list[str] = []

    def take(statement: str) -> None:
        if ("name: facts_compared" if again else "name: facts_by_weight") in statement and not took:
            other.execute("delete from facts where handle = ?", (gone,))
            took.append(gone)

    trace(facts.brain, take)
    done = compact(facts.brain, jobs=["near_duplicates"], now=NOW)
    assert (took, done.changed) == ([gone], 0)
