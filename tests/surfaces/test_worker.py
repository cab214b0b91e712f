"""`cortex worker`: whole processes that share a queue, and are killed or told to stop in the midst of it."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from cortex.substrate.address import argument
from cortex.substrate.brain import Brain, open_brain
from cortex.substrate.queue import MOST_ATTEMPTS
from cortex.substrate.tasks import OPEN, Task, enqueue, finish, lease, tasks
from cortex.surfaces.cli import cli
from cortex.surfaces.indexing import index
from cortex.surfaces.worker import SUSPICIOUS
from tests import postgres
from tests.brains import content, open_file, open_new
from tests.processes import runs
from tests.surfaces.conftest import NOW, SEEDS, Ran
from tests.warm import program

EXPORTS = ("o8", "o8-runner")
WITHIN_S = 120


IN_DATABASE = pytest.param(True, id="database")
on_both_engines = pytest.mark.parametrize(
    "brain", [pytest.param(False, id="as all tests"), *([] if postgres.CHOSEN else [IN_DATABASE])], indirect=True
)


@pytest.fixture
def brain(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Brain]:
    """A brain with a task for each repository of the demo project; in a database where the test wants that."""
    path = tmp_path / "brain.db"
    in_database = getattr(request, "param", False)
    with open_brain(postgres.database(path)) if in_database else open_new(path) as brain:
        enqueue(brain, "compact", source_id=0, key="night 9999-12-31", now=NOW)  # so that no other night is due
        compacted = lease(brain, owner="ada:1", lease_s=60, now=NOW)
        assert compacted is not None
        assert finish(brain, compacted, "done", now=datetime.max.replace(tzinfo=UTC))
        for export in EXPORTS:
            assert cortex(brain, "queue", "add", "--github-export", SEEDS / export).code == 0
        yield brain


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What a brain knows that one process made, and nothing disturbed."""
    with open_file(tmp_path_factory.mktemp("alone") / "brain.db") as brain:
        for export in EXPORTS:
            index(brain, export=SEEDS / export, now=NOW)
        return known(brain)


def known(brain: Brain) -> dict[str, Any]:
    return {name: sorted(map(repr, rows)) for name, rows in content(brain).items() if name != "terms"}


def cortex(brain: Brain, *arguments: object) -> Ran:
    done = CliRunner().invoke(cli, ["--db", argument(brain.path), *map(str, arguments)])
    return Ran(done.exit_code, done.stdout, done.stderr)


def worker(brain: Brain, *arguments: object) -> subprocess.Popen[str]:
    command = [program(), "--db", argument(brain.path), "worker", *map(str, arguments)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def ended(running: subprocess.Popen[str]) -> int:
    out, err = running.communicate(timeout=WITHIN_S)
    assert (out, "Traceback" in err) == ("", False), err
    return running.returncode


def seen(brain: Brain, looked_for: Callable[[], Any]) -> Any:  # noqa: ANN401  what is looked for
    until = time.monotonic() + WITHIN_S
    while not (found := looked_for()):
        assert time.monotonic() < until, tasks(brain)
        time.sleep(0.005)
    return found


def at_work(brain: Brain) -> Task:
    """The task that a worker has, and has stored records of."""

    def looked_for() -> Task | None:
        leased = tasks(brain, states=("leased",))
        stored = brain.db.execute("select 1 from records limit 1").fetchone()
        return leased[0] if leased and stored else None

    found: Task = seen(brain, looked_for)
    return found


def states(brain: Brain) -> list[str]:
    """Of the tasks to index."""
    found = tasks(brain, states=(*OPEN, "done", "cancelled"))
    return sorted(one.state for one in found if one.operation == "index")


@on_both_engines
def test_workers_do_what_is_due_and_drain(brain: Brain, alone: dict[str, Any]) -> None:
    assert ended(worker(brain, "--concurrency", 2, "--drain")) == 0
    assert states(brain) == ["done", "done"]
    assert known(brain) == alone
    assert cortex(brain, "verify", "-q").code == 0
    assert cortex(brain, "queue", "add", "--github-export", SEEDS / "o8").code == 0
    assert states(brain) == ["done", "pending"]


def test_a_place_that_is_to_be_two_sources_is_two_tasks(brain: Brain) -> None:
    added = [
        cortex(brain, "queue", "add", "--github-export", SEEDS / "o8", "--source", name) for name in ("a/b", "c/d")
    ]
    assert [one.code for one in added] == [0, 0]
    assert states(brain) == ["pending"] * (len(EXPORTS) + 2)


@on_both_engines
def test_what_a_killed_worker_had_another_does_once(brain: Brain, alone: dict[str, Any]) -> None:
    killed = worker(brain, "--drain")
    owner = at_work(brain).lease_owner or ""
    os.kill(int(owner.rpartition(":")[2]), signal.SIGKILL)
    killed.communicate(timeout=WITHIN_S)
    assert "leased" in states(brain)
    assert ended(worker(brain, "--drain")) == 0
    assert states(brain) == ["done", "done"]
    assert known(brain) == alone
    runs = "select count(*) from runs where command = 'index' and status = 'done' group by source_id"
    assert brain.db.execute(runs).fetchall() == [(1,), (1,)]


def test_a_worker_that_is_told_to_stop_finishes_what_it_has_in_hand(brain: Brain) -> None:
    running = worker(brain, "--grace", 100)
    at_work(brain)
    running.send_signal(signal.SIGTERM)
    assert ended(running) == 0
    assert states(brain) == ["done", "pending"]


@on_both_engines
def test_without_grace_it_gives_its_task_back(brain: Brain, alone: dict[str, Any]) -> None:
    running = worker(brain, "--grace", 0)
    at_work(brain)
    running.send_signal(signal.SIGTERM)
    assert ended(running) == 0
    assert states(brain) == ["pending", "pending"]
    assert brain.db.execute("select count(*) from facts_queue where state = 'leased'").fetchone() == (0,)
    assert ended(worker(brain, "--drain")) == 0
    assert known(brain) == alone


def test_the_processes_of_a_worker_that_was_killed_finish_and_stop(brain: Brain) -> None:
    running = worker(brain, "--concurrency", 2)
    pid = int((at_work(brain).lease_owner or "").rpartition(":")[2])
    started_by = int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
    os.kill(started_by, signal.SIGKILL)
    running.communicate(timeout=WITHIN_S)
    seen(brain, lambda: not runs(pid))
    assert "leased" not in states(brain)
    assert "done" in states(brain)


def test_a_task_that_cannot_be_done_waits_for_somebody(brain: Brain, tmp_path: Path) -> None:
    cortex(brain, "queue", "cancel", 2, 3)
    added = cortex(brain, "queue", "add", tmp_path / "gone", "--priority", 3)
    assert added.out == "task 4 waits for a worker\n"
    assert ended(worker(brain, "--drain")) == 0
    assert "task 4  dead" in cortex(brain, "queue").out
    (dead,) = cortex(brain, "queue", "--json").json["tasks"]
    assert "no such folder" in dead["error"]
    (tmp_path / "gone").mkdir()
    (tmp_path / "gone" / "notes.md").write_text("# Gone\n\nWe decided to keep two replicas of each shard.\n", "utf-8")
    assert cortex(brain, "queue", "retry").out == "0 jobs and 1 task due again\n"
    assert ended(worker(brain, "--drain")) == 0
    assert cortex(brain, "queue", "list", "--state", "dead").out == "1 done\n"
    assert states(brain) == ["cancelled", "cancelled", "done"]


@pytest.mark.parametrize(("attempts", "state"), [(0, "failed"), (MOST_ATTEMPTS - 1, "dead")])
def test_a_task_whose_workers_end_waits_and_is_dead_in_the_end(brain: Brain, attempts: int, state: str) -> None:
    brain.db.execute("update tasks set abandoned = ?, attempts = ? where operation = 'index'", (SUSPICIOUS, attempts))
    assert ended(worker(brain, "--drain")) == 0
    assert states(brain) == [state] * len(EXPORTS)
    (error,) = {one.error for one in tasks(brain, states=OPEN)}
    assert error
    assert error.startswith("3 workers in a row ended while they had it")


@pytest.mark.parametrize("brain", [IN_DATABASE], indirect=True)
def test_a_worker_takes_up_again_what_it_had_when_the_server_went_away(brain: Brain, alone: dict[str, Any]) -> None:
    running = worker(brain, "--drain")
    owner = at_work(brain).lease_owner
    others = "select count(pg_terminate_backend(pid)) from pg_stat_activity where datname = current_database()"
    brain.db.execute(f"{others} and pid <> pg_backend_pid()")
    assert seen(brain, lambda: [one for one in tasks(brain, states=("leased",)) if one.lease_owner == owner])
    assert ended(running) == 0
    assert states(brain) == ["done", "done"]
    assert known(brain) == alone
