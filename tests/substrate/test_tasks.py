"""Tasks: leased by one worker at a time, fenced, given back, stopped and resumed; and writers of several sources."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, suppress
from datetime import timedelta
from functools import partial
from threading import Thread
from typing import Any

import pytest

from cortex.compactor.schedule import Holder, claim, enqueue_night
from cortex.errors import BrainBusy, LeaseLost
from cortex.substrate.brain import Brain, open_brain
from cortex.substrate.facts import begin_batch
from cortex.substrate.model import Scope
from cortex.substrate.queue import finish_jobs, lease_jobs, mark_due
from cortex.substrate.sources import register_source, remove_source
from cortex.substrate.status import start_run
from cortex.substrate.tasks import (
    CHANNEL,
    OPEN,
    Held,
    abandon,
    enqueue,
    finish,
    forget,
    lease,
    prove,
    release,
    renew,
    resume,
    stop,
    tasks,
)
from tests import postgres
from tests.brains import NOW, index_records, put, record

TOKEN = "ghp_" + "q7Rk2VnX9sTb4LwZ8mYc3Jd6Hf1Gp5Aa0Eu2"
MINUTE = timedelta(minutes=1)
ALL = Scope()


def add(brain: Brain, key: str = "index a", *, source: int = 0, priority: int = 0, once: bool = False) -> int:
    given = {"path": key}
    return enqueue(
        brain, "index", source_id=source, key=key, parameters=given, priority=priority, once=once, now=NOW
    )[0]  # fmt: skip


def take(brain: Brain, owner: str = "ada:1", *, minutes: float = 0) -> Held | None:
    return lease(brain, owner=owner, lease_s=60, now=NOW + minutes * MINUTE)


def taken(brain: Brain, owner: str = "ada:1", *, minutes: float = 0) -> Held:
    held = take(brain, owner, minutes=minutes)
    assert held is not None
    return held


def states(brain: Brain) -> dict[int, str]:
    return {one.id: one.state for one in tasks(brain, states=(*OPEN, "done", "cancelled"))}


def test_a_leased_task_is_nobody_elses_and_the_most_urgent_comes_first(brain: Brain) -> None:
    add(brain, "index a")
    urgent = add(brain, "index b", priority=5)
    assert taken(brain).id == urgent
    assert taken(brain, "bob:1").parameters == '{"path": "index a"}'
    assert take(brain, "eve:1") is None


def test_what_is_added_again_is_done_once_or_once_more_after_who_has_it(brain: Brain) -> None:
    first = add(brain)
    assert enqueue(brain, "index", source_id=0, key="index a", now=NOW) == (first, False)
    held = taken(brain)
    assert enqueue(brain, "index", source_id=0, key="index a", now=NOW) == (first, True)
    assert take(brain, "bob:1") is None
    assert finish(brain, held, "done", now=NOW)
    assert finish(brain, taken(brain), "done", now=NOW)
    assert states(brain) == {first: "done"}


def test_what_has_a_key_of_its_own_is_never_done_twice(brain: Brain) -> None:
    task = add(brain, "monday", once=True)
    finish(brain, taken(brain), "done", now=NOW)
    assert enqueue(brain, "index", source_id=0, key="monday", once=True, now=NOW) == (task, False)
    assert take(brain) is None


def test_of_a_source_one_task_is_worked_on_at_a_time(brain: Brain) -> None:
    add(brain, "index a", source=1)
    add(brain, "compact", source=1)
    other = add(brain, "index a", source=2)
    held = taken(brain)
    assert taken(brain, "bob:1").id == other
    assert take(brain, "eve:1") is None
    finish(brain, held, "done", now=NOW)
    assert take(brain, "eve:1") is not None


def test_a_worker_whose_lease_another_took_over_writes_nothing_more(brain: Brain) -> None:
    add(brain)
    late = taken(brain)
    assert take(brain, "bob:1", minutes=0.9) is None
    again = taken(brain, "bob:1", minutes=1)
    assert (again.id, again.abandoned) == (late.id, 1)
    brain.fenced(partial(prove, late))
    with pytest.raises(LeaseLost):
        register_source(brain, "demo", location="", now=NOW)
    brain.fenced(partial(prove, again))
    register_source(brain, "other", location="", now=NOW)
    assert brain.db.execute("select name from sources").fetchall() == [("other",)]
    with pytest.raises(LeaseLost):
        renew(brain, late, lease_s=60, progress="", now=NOW)
    assert not finish(brain, late, "done", now=NOW)
    assert finish(brain, again, "done", now=NOW)


def test_a_lease_that_is_renewed_is_kept_and_tells_what_was_wished(brain: Brain) -> None:
    task = add(brain)
    held = taken(brain)
    assert renew(brain, held, lease_s=60, progress="reading git", now=NOW + MINUTE) == ""
    assert take(brain, "bob:1", minutes=1.5) is None
    assert [one.progress for one in tasks(brain)] == ["reading git"]
    assert stop(brain, [task], "pause", scope=ALL, now=NOW) == 1
    assert renew(brain, held, lease_s=60, progress="", now=NOW) == "pause"
    release(brain, held, now=NOW)
    assert states(brain) == {task: "paused"}
    assert take(brain) is None
    assert resume(brain, [task], scope=ALL) == 1
    assert taken(brain).abandoned == 0


def test_what_is_cancelled_is_never_done_unless_it_is_resumed(brain: Brain) -> None:
    waiting, held_by = add(brain, "index a"), add(brain, "index b", priority=1)
    held = taken(brain)
    assert stop(brain, [waiting, held_by], "cancel", scope=ALL, now=NOW) == 2
    assert states(brain) == {waiting: "cancelled", held_by: "leased"}
    release(brain, held, now=NOW)
    assert set(states(brain).values()) == {"cancelled"}
    resume(brain, [waiting], scope=ALL)
    assert taken(brain).id == waiting


def test_a_task_that_failed_waits_and_one_that_died_waits_for_somebody(brain: Brain) -> None:
    task = add(brain)
    finish(brain, taken(brain), "failed", error=f"HTTP 401: no key {TOKEN}", after_s=60, now=NOW)
    (one,) = tasks(brain)
    assert (one.attempts, "ghp_" in str(one.error)) == (1, False)
    assert take(brain, minutes=0.9) is None
    finish(brain, taken(brain, minutes=1), "dead", error="no such folder", now=NOW)
    assert take(brain, minutes=90) is None
    assert resume(brain, None, scope=ALL) == 1
    assert taken(brain).id == task


def test_what_a_worker_had_that_is_no_more_is_due_at_once(brain: Brain) -> None:
    add(brain)
    taken(brain)
    abandon(brain, alive=lambda owner: owner != "bob:1")
    assert take(brain, "bob:1") is None
    abandon(brain, alive=lambda owner: owner != "ada:1")
    assert taken(brain, "bob:1").abandoned == 1


def test_a_night_is_compacted_once_by_a_task_of_each_source(brain: Brain) -> None:
    for name in ("a", "b"):
        register_source(brain, name, location="", now=NOW)
    at = NOW.time()
    workers = [Holder(name, lambda _: True) for name in ("ada:1", "bob:1")]
    assert [enqueue_night(brain, at=at, zone=NOW.tzinfo, holder=one, now=NOW) for one in workers] == [2, 0]
    assert enqueue_night(brain, at=at, zone=NOW.tzinfo, holder=workers[0], now=NOW + 30 * MINUTE) == 0
    assert not claim(brain, NOW.date(), holder=workers[1], now=NOW + 30 * MINUTE)
    assert [one.source for one in tasks(brain)] == ["a", "b"]
    for _ in "ab":
        finish(brain, taken(brain), "done", now=NOW)
    assert enqueue_night(brain, at=at, zone=NOW.tzinfo, holder=workers[1], now=NOW + 120 * MINUTE) == 0
    tomorrow = NOW + timedelta(days=1)
    assert enqueue_night(brain, at=at, zone=NOW.tzinfo, holder=workers[1], now=tomorrow) == 2


def test_tasks_go_with_their_source_and_are_forgotten_once_they_are_old(brain: Brain) -> None:
    source = register_source(brain, "a", location="", now=NOW)
    add(brain, source=source)
    old = add(brain, "index b", priority=1)
    finish(brain, taken(brain), "done", now=NOW)
    remove_source(brain, source)
    assert states(brain) == {old: "done"}
    assert forget(brain, before=NOW) == 0
    assert forget(brain, before=NOW + MINUTE) == 1


@pytest.fixture
def others() -> Iterator[list[Brain]]:
    """Three writers of one database."""
    with postgres.postgres_brain() as brain, ExitStack() as open_:
        yield [brain, *(open_.enter_context(open_brain(brain.path)) for _ in "ab")]


def test_writers_of_several_sources_do_not_wait_for_each_other(others: list[Brain]) -> None:
    one, other, third = others
    ids = [register_source(one, name, location="", now=NOW) for name in "ab"]
    with one.confined(ids[0]), one.transaction():
        first = start_run_in(one, ids[0])
        with other.confined(ids[1]), other.transaction():
            second = start_run_in(other, ids[1])
            assert take(third) is None, "who leases waits for neither"
            third.db.execute("set lock_timeout = '100ms'")
            for source in (ids[0], None):
                with pytest.raises(BrainBusy):
                    register_in(third, source)
    assert (first, second) == (1, 2)
    with one.confined(ids[0]):
        assert start_run(one, "index", source_id=ids[0], now=NOW) == 3


def register_in(brain: Brain, source: int | None) -> None:
    with brain.confined(source), brain.transaction():
        pass


def start_run_in(brain: Brain, source: int) -> int:
    put = "insert into runs (source_id, command, started_at) values (?, 'index', '') returning id"
    return int(brain.db.execute(put, (source,)).fetchone()[0])


def test_numbers_follow_the_highest_again_once_nobody_else_writes(others: list[Brain]) -> None:
    one, other, _ = others
    ids = [register_source(one, name, location="", now=NOW) for name in "ab"]
    with one.confined(ids[0]), suppress(ZeroDivisionError), one.transaction():
        assert start_run_in(one, ids[0]) == 1
        with other.confined(ids[1]), other.transaction():
            assert [start_run_in(other, ids[1]) for _ in "ab"] == [2, 3]
        assert start_run_in(one, ids[0]) == 4
        raise ZeroDivisionError
    assert start_run_in(one, ids[0]) == 4, "the number of what was taken back is free again"
    one.db.execute("delete from runs")
    assert start_run_in(one, ids[0]) == 1


def test_two_sources_indexed_at_once_hold_what_they_hold_alone(others: list[Brain]) -> None:
    said = {
        name: [record(f"comment:1#{n}", f"We decided to keep {n} shards of {name}.") for n in range(40)]
        for name in "ab"
    }
    writers = [
        Thread(target=index_records, args=(brain, *said[name]), kwargs={"source": name})
        for brain, name in zip(others, "ab", strict=False)
    ]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    facts = "select s.name, f.statement from facts f join sources s on s.id = f.source_id order by f.id"
    found = others[2].db.execute(facts).fetchall()
    for name in "ab":
        with postgres.postgres_brain() as alone:
            index_records(alone, *said[name], source=name)
            assert [row for row in found if row[0] == name] == alone.db.execute(facts).fetchall()


def test_a_waiting_worker_hears_of_a_task_at_once(others: list[Brain]) -> None:
    one, other, _ = others
    assert not other.wait(CHANNEL, 0.01)
    add(one)
    assert other.wait(CHANNEL, 30)


def test_nobody_takes_a_task_over_while_its_worker_writes(others: list[Brain]) -> None:
    one, other, third = others
    add(one)
    held = taken(one)
    with one.confined(1), one.transaction():
        prove(held, one)
        assert take(other, "bob:1", minutes=5) is None
        assert renew(third, held, lease_s=60, progress="", now=NOW) == "", "to renew it waits for nothing"
    assert taken(other, "bob:1", minutes=5).id == held.id


def test_nobody_takes_a_text_over_while_its_facts_are_brought(others: list[Brain]) -> None:
    one, other, _ = others
    put(one, record("comment:1#1", "We decided to keep two replicas of each shard."))
    where: dict[str, Any] = {"source_id": 1, "path": "comments", "limit": 10, "lease_s": 60.0}
    leased = lease_jobs(one, **where, owner="ada:1", now=NOW)
    begin_batch(one)
    with one.confined(1), one.transaction():
        mark_due(one, leased)
        assert lease_jobs(other, **where, owner="bob:1", now=NOW + 5 * MINUTE) == []
        assert finish_jobs(one, leased, distiller="rules 1", rank=1, now=NOW) == 1
    assert lease_jobs(other, **where, owner="bob:1", now=NOW + 5 * MINUTE) == []
