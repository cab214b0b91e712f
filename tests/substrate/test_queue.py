"""Leases and their fences, expiry, backoff, death, and what a person does about it."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cortex.indexers.distilling import Crew
from cortex.indexers.run import index
from cortex.substrate.brain import Brain
from cortex.substrate.facts import begin_batch
from cortex.substrate.queue import (
    MOST_ATTEMPTS,
    Failure,
    Lease,
    abandon_jobs,
    backoff_s,
    drop_jobs,
    fail_jobs,
    finish_jobs,
    jobs,
    lease_jobs,
    lease_owners,
    next_due,
    open_jobs,
    release_jobs,
    requeue_outranked,
    retry_jobs,
)
from cortex.substrate.status import status
from tests.brains import NOW, feed_of, index_records, open_new, put, record
from tests.indexers.distillers import Tripping

WHERE: dict[str, Any] = {"source_id": 1, "path": "comments"}
MINUTE = timedelta(minutes=1)


@pytest.fixture
def brain(tmp_path: Path) -> Iterator[Brain]:
    """Three comments that nobody has distilled."""
    with open_new(tmp_path / "brain.db") as brain:
        put(brain, *(record(f"comment:1#{n}", f"We decided to keep {n} replicas of each shard.") for n in range(3)))
        yield brain


def lease(brain: Brain, owner: str = "ada", *, limit: int = 10, now: datetime = NOW) -> list[Lease]:
    return lease_jobs(brain, source_id=1, path="comments", owner=owner, limit=limit, lease_s=60, now=now)


def finish(brain: Brain, leases: list[Lease]) -> int:
    with brain.transaction():
        return finish_jobs(brain, leases, distiller="rules 1", rank=1, now=NOW)


def fail(
    brain: Brain, leases: list[Lease], *, reason: str = "it tripped", retry: bool = True, now: datetime = NOW
) -> tuple[int, int]:
    begin_batch(brain)
    with brain.transaction():
        failures = [Failure(one, reason, retry) for one in leases]
        return fail_jobs(brain, failures, distiller="rules 1", rank=1, now=now)


def states(brain: Brain) -> list[str]:
    return [state for (state,) in brain.db.execute("select state from facts_queue order by id")]


def test_a_leased_job_is_nobody_elses(brain: Brain) -> None:
    assert [one.columns[2] for one in lease(brain, limit=2)] == ["comment:1#0", "comment:1#1"]
    assert [one.columns[2] for one in lease(brain, "bob")] == ["comment:1#2"]
    assert lease(brain, "eve") == []
    assert open_jobs(brain, **WHERE) == 3
    assert sorted(lease_owners(brain, **WHERE)) == ["ada", "bob"]


def test_urgent_jobs_come_first(brain: Brain) -> None:
    brain.db.execute("update facts_queue set priority = 5 where id = 3")
    assert [one.job for one in lease(brain)] == [3, 1, 2]


def test_a_lease_that_ended_is_taken_again_and_its_owner_comes_too_late(brain: Brain) -> None:
    late = lease(brain)
    assert lease(brain, "bob", now=NOW + 0.9 * MINUTE) == []
    again = lease(brain, "bob", now=NOW + MINUTE)
    assert [one.job for one in again] == [one.job for one in late]
    assert [one.abandoned for one in again] == [1, 1, 1]
    assert finish(brain, late) == 0
    assert fail(brain, late, retry=False) == (0, 0)
    assert states(brain) == ["leased"] * 3
    assert finish(brain, again) == 3
    assert finish(brain, late) == 0
    assert states(brain) == ["done"] * 3


def test_a_worker_that_is_slow_keeps_what_nobody_else_wants(brain: Brain) -> None:
    held = lease(brain, limit=2)
    assert [one.job for one in lease(brain, now=NOW + 5 * MINUTE)] == [3]
    assert finish(brain, held) == 2


def test_what_a_worker_gives_back_or_leaves_behind_is_due_at_once(brain: Brain) -> None:
    lease(brain)
    release_jobs(brain, **WHERE, owner="ada")
    assert [one.abandoned for one in lease(brain)] == [0, 0, 0]
    abandon_jobs(brain, **WHERE, owner="ada")
    assert [one.abandoned for one in lease(brain, "bob")] == [1, 1, 1]


def test_whoever_gave_a_job_back_cannot_finish_it(brain: Brain) -> None:
    held = lease(brain)
    release_jobs(brain, **WHERE, owner="ada")
    assert finish(brain, held) == 0
    assert states(brain) == ["pending"] * 3


def test_a_failed_job_waits_longer_each_time_and_then_is_dead(brain: Brain) -> None:
    now, waits = NOW, []
    for attempt in range(1, MOST_ATTEMPTS):
        held = lease(brain, limit=1, now=now)
        assert fail(brain, held, now=now) == (0, 1)
        retry = next_due(brain, **WHERE).retry
        assert retry is not None
        waits.append((retry - now).total_seconds())
        assert waits[-1] == pytest.approx(backoff_s(1, attempt), abs=1)
        assert 1 not in [one.job for one in lease(brain, "bob", now=retry - timedelta(seconds=1))]
        release_jobs(brain, **WHERE, owner="bob")
        now = retry
    assert waits == sorted(waits)
    assert fail(brain, lease(brain, limit=1, now=now), now=now) == (1, 0)
    (dead,) = jobs(brain, states=["dead"])
    assert (dead.ref, dead.attempts, dead.error, dead.not_before) == ("comment:1#0", MOST_ATTEMPTS, "it tripped", None)


def test_a_job_that_cannot_be_done_is_dead_at_once(brain: Brain) -> None:
    assert fail(brain, lease(brain, limit=1), retry=False) == (1, 0)
    assert states(brain) == ["dead", "pending", "pending"]


@pytest.mark.parametrize("retry", [True, False], ids=["failed", "dead"])
def test_a_reason_is_kept_without_its_secret(brain: Brain, retry: bool) -> None:  # noqa: FBT001
    fail(
        brain,
        lease(brain, limit=1),
        reason="HTTP 401: no key ghp_" + "q7Rk2VnX9sTb4LwZ8mYc3Jd6Hf1Gp5Aa0Eu2",
        retry=retry,
    )
    (kept,) = jobs(brain, states=["failed", "dead"])
    assert kept.error == "HTTP 401: no key [REDACTED:github-token]"


@given(job=st.integers(1, 10**9), attempt=st.integers(1, 20))
def test_a_wait_is_within_half_of_its_length_and_always_the_same(job: int, attempt: int) -> None:
    length = min(2.0 * 4.0 ** (attempt - 1), 3600.0)
    assert 0.5 * length <= backoff_s(job, attempt) <= 1.5 * length
    assert backoff_s(job, attempt) == backoff_s(job, attempt)


def test_jobs_that_failed_together_are_not_tried_together() -> None:
    assert len({round(backoff_s(job, 3), 1) for job in range(100)}) > 50


def test_a_server_that_says_when_is_asked_no_sooner(brain: Brain) -> None:
    begin_batch(brain)
    held = lease(brain, limit=1)
    with brain.transaction():
        fail_jobs(brain, [Failure(held[0], "busy", retry=True, after_s=600)], distiller="m", rank=1000, now=NOW)
    assert next_due(brain, **WHERE).retry == NOW + timedelta(minutes=10)


def test_dead_jobs_are_retried_before_others_or_dropped(brain: Brain) -> None:
    fail(brain, lease(brain, limit=2), retry=False)
    assert retry_jobs(brain, refs=["comment:1#1"]) == 1
    assert [one.job for one in lease(brain)] == [2, 3]
    assert drop_jobs(brain, refs=["comment:1#1"]) == 0, "somebody is at it"
    assert drop_jobs(brain) == 1
    assert retry_jobs(brain) == 0
    assert states(brain) == ["leased", "leased"]


def test_only_a_distiller_of_a_higher_rank_does_a_job_again(brain: Brain) -> None:
    finish(brain, lease(brain))
    assert requeue_outranked(brain, **WHERE, rank=1, distiller="rules 1") == 0
    assert requeue_outranked(brain, **WHERE, rank=2, distiller="rules 2") == 3
    assert states(brain) == ["pending"] * 3


def test_dead_jobs_of_text_that_was_edited_leave_no_fact_that_it_does_not_say(tmp_path: Path) -> None:
    with open_new(tmp_path / "edited.db") as brain:
        index_records(brain, record("comment:1#1", "We decided to keep two replicas of each shard, always."))
        assert brain.db.execute("select count(*) from facts").fetchone() == (1,)
        put(brain, record("comment:1#1", "Never mind, and by the way we decided to keep just one replica of it."))
        items = [record("comment:1#1", "Never mind, and by the way we decided to keep just one replica of it.")]
        index(brain, [feed_of(items)], source="demo", crew=Crew(comments=Tripping("never", "mind")), now=NOW)
        assert brain.db.execute("select count(*) from facts").fetchone() == (0,)
        assert brain.db.execute("select job from facts_archive").fetchall() == [("replaced",)]


def test_status_tells_how_far_behind_a_source_is_and_how_fast_it_went(brain: Brain) -> None:
    (source,) = status(brain).sources
    assert (source.backlog.waiting, source.backlog.oldest, source.backlog.per_second) == (3, NOW, None)
    for seconds, job in [(0, 1), (2, 2), (4, 3)]:
        lease(brain, limit=1)
        brain.db.execute(
            "update facts_queue set state = 'done', finished_at = ? where id = ?",
            (f"2026-01-01T00:00:0{seconds}Z", job),
        )
    (source,) = status(brain).sources
    assert (source.backlog.waiting, source.backlog.oldest, source.backlog.per_second) == (0, None, 0.8)
    assert source.backlog.last_done == NOW + timedelta(seconds=4)


def test_a_lease_by_a_clock_that_is_ahead_is_taken_as_ended_and_named(
    brain: Brain, caplog: pytest.LogCaptureFixture
) -> None:
    lease(brain, "host-b:77", now=NOW + timedelta(days=4_000))
    assert len(lease(brain, now=NOW)) == 3
    assert "host-b:77 holds 3 jobs until 2" in caplog.text
    caplog.clear()
    assert lease(brain, "eve", now=NOW + MINUTE / 2) == []
    assert caplog.text == ""
