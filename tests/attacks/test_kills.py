"""SIGKILL at random instants of a run: the brain is as before or as after each job, never between.

Eight instants here; more with KILLS=50 python -m pytest tests/attacks/test_kills.py.
"""

from __future__ import annotations

import os
import random
import subprocess
import time
from datetime import timedelta
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from cortex.compactor.run import CLEANING, compact
from cortex.compactor.undo import undo
from cortex.substrate.address import argument
from cortex.substrate.brain import open_brain
from tests.brains import copied, indexes_agree, place
from tests.compactor.brains import NOW, Facts
from tests.warm import program

KILLS = int(os.environ.get("KILLS", "5"))
RUN = """
import sys
from datetime import datetime, UTC
from cortex.compactor.run import compact
from cortex.substrate.brain import open_brain
with open_brain(sys.argv[1]) as brain:
    print("go", flush=True)
    compact(brain, now=datetime(2026, 6, 1, tzinfo=UTC))
"""
State = tuple[list[Any], list[Any]]


class Prepared(NamedTuple):
    brain: Path
    allowed: list[State]
    seconds: float


def state(path: Path) -> State:
    with open_brain(path) as brain:
        facts = brain.db.execute("select * from facts order by id").fetchall()
        archive = brain.db.execute(
            "select handle, job, merged_into, confidence from facts_archive order by 1"
        ).fetchall()
        assert indexes_agree(brain)
        assert [*brain.broken()] == []
    return facts, archive


def cluttered(path: Path) -> None:
    """Something to do for every job, enough of it to be hit in the middle."""
    facts = Facts(path)
    words = "brain reader writer table index lock session handle parser lexer token schema record thread worker".split()
    chance = random.Random(3)  # noqa: S311  no secret
    with facts.brain, facts.brain.transaction():
        for number in range(500):
            text = " ".join(chance.choices(words, k=chance.randint(8, 16)))
            touched = (NOW - timedelta(days=chance.randint(0, 1200))).strftime("%Y-%m-%dT%H:%M:%SZ")
            gone = "2026-05-01T00:00:00Z" if number % 20 == 0 else None
            for copy in range(1 + (number % 5 == 0)):
                sure = chance.choice([0.2, 0.5, 0.9])
                facts.add(text, f"doc:{number}-{copy}.md", gone=gone, touched_at=touched, confidence=sure)


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Prepared:
    folder = tmp_path_factory.mktemp("kills")
    path = place(folder / "brain.db")
    cluttered(path)
    allowed = [state(path)]
    reference = copied(path, folder / "reference.db")
    with open_brain(reference) as brain:
        for job in CLEANING:
            compact(brain, jobs=[job], now=NOW)
            allowed.append(state(reference))
    started = time.perf_counter()
    subprocess.run([program(), "-c", RUN, argument(copied(path, folder / "timed.db"))], check=True)
    return Prepared(path, allowed, time.perf_counter() - started)


@pytest.mark.parametrize("instant", range(KILLS))
def test_a_kill_leaves_the_brain_as_before_or_after_a_job(prepared: Prepared, tmp_path: Path, instant: int) -> None:
    path = copied(prepared.brain, tmp_path / "brain.db")
    with subprocess.Popen([program(), "-c", RUN, argument(path)], stdout=subprocess.PIPE) as running:
        assert running.stdout
        running.stdout.readline()
        time.sleep(random.Random(instant).uniform(0, 0.8 * prepared.seconds))  # noqa: S311  no secret
        running.kill()
        running.communicate()  # to the end of what it writes, as it may outlive its launcher for a moment
    found = state(path)
    assert found in prepared.allowed
    with open_brain(path) as brain:
        (run,) = brain.db.execute("select max(id) from runs").fetchone() or (None,)
        if run:
            undo(brain, run, alive=lambda _: False, now=NOW)
            assert state(path) == prepared.allowed[0]
        compact(brain, now=NOW)
    assert state(path)[0] == prepared.allowed[-1][0]
