"""What becomes of jobs whose distiller fails, raises, dies, talks nonsense or takes too long."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from threading import Event
from typing import NamedTuple

import pytest

from cortex.indexers import distilling
from cortex.indexers.distill import Distilled, Version
from cortex.indexers.distill.rules import RULES, Rules
from cortex.indexers.distill.text import Text
from cortex.indexers.distilling import Crew
from cortex.indexers.run import IndexReport, index, work
from cortex.substrate.brain import Brain
from cortex.substrate.model import Record
from cortex.substrate.queue import Job, jobs, lease_jobs
from tests.brains import NOW, content, feed_of, open_new, record, statements
from tests.indexers.distillers import Once, Tripping

COMMENTS = 30
FACT = "We decided to keep {n} replicas of each shard, and never fewer than two of them."


def thread(*poisoned: int) -> list[Record]:
    """Comments that each hold a fact, some of them with a word a distiller may trip over."""
    return [
        record(f"comment:1#{n:02}", FACT.format(n=n + 2) + " POISON." * (n in poisoned), title="Replicas")
        for n in range(COMMENTS)
    ]


def run(brain: Brain, crew: Crew, *poisoned: int, now: datetime = NOW) -> IndexReport:
    return index(brain, [feed_of(thread(*poisoned))], source="demo", crew=crew, now=now)


def report(done: IndexReport) -> tuple[int, int, int]:
    """Facts added, jobs that failed, and jobs that died, of the comments."""
    comments = done.facts[-1]
    return comments.added, comments.failed, comments.dead


def dead(brain: Brain) -> list[Job]:
    return jobs(brain, states=["dead"])


class Clock:
    """Time that passes when somebody sleeps."""

    def __init__(self) -> None:
        self.now = NOW

    def __call__(self) -> datetime:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += timedelta(seconds=seconds)


@pytest.mark.parametrize(
    ("how", "error"),
    [
        ("never", "it tripped"),
        ("raise", "rules 1 raised ValueError: it tripped"),
        ("foreign", "a fact of characters 0 to 1000000 of record 4, which is outside its text"),
    ],
)
def test_one_text_that_cannot_be_distilled_is_dead_and_named_and_the_others_are_not(
    brain: Brain, how: str, error: str
) -> None:
    assert report(run(brain, Crew(comments=Tripping(how)), 3)) == (COMMENTS - 1, 0, 1)
    (job,) = dead(brain)
    assert (job.ref, job.attempts, job.distiller) == ("comment:1#03", 1, RULES.version.name)
    assert job.error == error.replace("rules 1", RULES.version.name)
    assert not run(brain, Crew(comments=Tripping(how)), 3).changed


def test_a_distiller_that_says_too_little_fails_its_call_and_no_other(brain: Brain) -> None:
    assert report(run(brain, Crew(comments=Tripping("short")), 3)) == (COMMENTS - 8, 8, 0)
    failed = jobs(brain, states=["failed"])
    assert {job.error for job in failed} == {f"{RULES.version.name} said 3 things of 8 texts"}


@pytest.mark.parametrize("calls", [0, 4], ids=["computes", "waits"])
def test_a_run_waits_for_what_failed_and_tries_it_again(brain: Brain, tmp_path: Path, calls: int) -> None:
    clock = Clock()
    crew = Crew(comments=Once(tmp_path, calls=calls), clock=clock, sleep=clock.sleep)
    assert report(run(brain, crew, 3, 20)) == (COMMENTS, 2, 0)
    assert clock.now - NOW <= timedelta(seconds=4)
    assert len(statements(brain)) == COMMENTS


def test_what_fails_again_and_again_is_dead_in_the_end(brain: Brain) -> None:
    clock = Clock()
    crew = Crew(comments=Tripping("retry"), clock=clock, sleep=clock.sleep)
    first = run(brain, crew, 3)
    assert (report(first), dead(brain)) == ((COMMENTS - 1, 4, 0), []), "the next wait is too long for one run"
    clock.sleep(300)
    assert report(run(brain, crew, 3)) == (0, 0, 1)
    assert [(job.ref, job.attempts) for job in dead(brain)] == [("comment:1#03", 5)]


def test_a_text_that_ends_its_process_is_found_and_the_others_are_done(
    brain: Brain, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(distilling, "WORTH_PROCESSES", 0)
    assert report(run(brain, Crew(workers=2, comments=Tripping("die")), 9)) == (COMMENTS - 1, 0, 1)
    (job,) = dead(brain)
    assert (job.ref, job.error) == ("comment:1#09", "it ended the process that distilled it")


def test_a_job_that_took_three_workers_with_it_is_tried_in_a_process_of_its_own(brain: Brain) -> None:
    index(brain, [feed_of(thread(9))], source="demo", crew=Crew(comments=Tripping("retry")), now=NOW)
    brain.db.execute("update facts_queue set state = 'pending', abandoned = 3 where state = 'failed'")
    facts = work(brain, source_id=1, crew=Crew(comments=Tripping("die")), now=NOW)
    assert facts[-1].dead == 1
    assert [job.error for job in dead(brain)] == ["it ended the process that distilled it"]


class Dawdling(NamedTuple):
    """Waits, at a text with the word, until it is told to go on."""

    batch: int
    calls: int
    go_on: Event
    version: Version = RULES.version
    lease_s: float = 60.0

    def distill(self, texts: Sequence[Text]) -> Iterator[Distilled]:
        if any("POISON" in text.body for text in texts):
            self.go_on.wait(30)
        return RULES.distill(texts)


def test_a_call_that_takes_too_long_holds_up_none_of_the_others(brain: Brain) -> None:
    kept: list[int] = []
    go_on = Event()

    def note(stage: str, count: int, _: int | None) -> None:
        if stage == "distilling comments" and count:
            kept.append(len(statements(brain, ref="comment:1#03")))
        if len(kept) > COMMENTS / 2:
            go_on.set()

    crew = Crew(comments=Dawdling(batch=1, calls=4, go_on=go_on))
    index(brain, [feed_of(thread(3))], source="demo", crew=crew, progress=note, now=NOW)
    assert len(statements(brain)) == COMMENTS
    assert kept.index(1) > COMMENTS / 2, "it came in among the last"


class Thief(NamedTuple):
    """While it distills, another worker takes over its jobs, for its lease has ended."""

    path: Path
    version: Version = RULES.version
    batch: int = COMMENTS
    calls: int = 0
    lease_s: float = 60.0

    def distill(self, texts: Sequence[Text]) -> Iterator[Distilled]:
        with open_new(self.path) as brain:
            later = NOW + timedelta(minutes=2)
            lease_jobs(brain, source_id=1, path="comments", owner="bob", limit=COMMENTS, lease_s=60, now=later)
        return RULES.distill(texts)


def test_facts_that_come_after_another_leased_the_job_are_refused(brain: Brain) -> None:
    run(brain, Crew(comments=Thief(brain.path)))
    assert statements(brain) == []
    assert [job.lease_owner for job in jobs(brain)] == ["bob"] * COMMENTS
    run(brain, Crew(alive=lambda owner: owner != "bob"))
    assert len(statements(brain)) == COMMENTS


def test_a_better_distiller_does_again_what_a_lesser_did_and_not_the_other_way_round(brain: Brain) -> None:
    run(brain, Crew())
    better = Rules(version=Version(RULES.version.rank + 1, "rules of tomorrow"))
    again = run(brain, Crew(comments=better))
    assert again.changed
    assert (again.facts[-1].added, again.facts[-1].unchanged) == (0, COMMENTS)
    assert {job.distiller for job in jobs(brain, states=["done"])} == {"rules of tomorrow"}
    assert not run(brain, Crew(comments=better)).changed
    assert not run(brain, Crew()).changed


def test_facts_deleted_by_hand_come_back_the_same(brain: Brain) -> None:
    run(brain, Crew())
    before = content(brain)
    brain.db.execute("delete from facts")
    run(brain, Crew())
    assert content(brain) == before


def test_a_run_that_is_interrupted_gives_back_what_it_holds(brain: Brain) -> None:
    def interrupt(stage: str, count: int, _: int | None) -> None:
        if stage == "distilling comments" and count:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        index(
            brain, [feed_of(thread())], source="demo", crew=Crew(comments=Rules(batch=8)), progress=interrupt, now=NOW
        )
    assert jobs(brain, states=["leased"]) == []
    assert len(statements(brain)) == 8
    run(brain, Crew())
    assert len(statements(brain)) == COMMENTS
