"""`cortex queue`, and what `cortex index` and `cortex status` say of what is left in it."""

from __future__ import annotations

import os
import socket
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from cortex.indexers.distilling import Crew
from cortex.substrate.address import argument
from cortex.surfaces.indexing import index
from cortex.surfaces.working import alive, crew_here
from tests.brains import nowhere, open_new, place
from tests.indexers.distillers import Tripping
from tests.surfaces.conftest import NOW, Ran
from tests.warm import program

Cortex = Callable[..., Ran]

FACTS = ("We decided to keep two replicas of each shard.", "The gateway must never wait for the POISON queue.")
DEAD = "doc:1.md"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A project with two documents, indexed by somebody who could not distill the second."""
    root = tmp_path / "gear"
    root.mkdir()
    for number, fact in enumerate(FACTS):
        (root / f"{number}.md").write_text(f"# Gear {number}\n\n{fact}\n", "utf-8")
    with open_new(tmp_path / "brain.db") as brain:
        done = index(brain, root, crew=Crew(docs=Tripping("never")), now=NOW)
    assert (done.dead, done.waiting, done.dead_jobs[0].error) == (1, 0, "it tripped")
    return root


def test_a_run_that_leaves_dead_jobs_says_which_and_exits_1(cortex: Cortex, folder: Path) -> None:
    ran = cortex("index", folder)
    assert ran.code == 1
    assert "1 job dead: could not be read" in ran.out
    assert f"{DEAD}" in ran.out
    assert "it tripped" in ran.out
    told = cortex("index", folder, "--json")
    assert told.code == 1
    assert told.json["dead"] == 1
    assert told.json["dead_jobs"][0]["ref"].startswith(DEAD)


def test_the_queue_lists_what_needs_somebody_first(cortex: Cortex, folder: Path) -> None:
    assert folder.is_dir()
    listed = cortex("queue").out
    assert listed.splitlines()[0] == "1 dead · 1 done"
    assert "dead  doc:1.md" in listed
    assert cortex("queue", "--json").json["counts"] == {"dead": 1, "failed": 0, "leased": 0, "pending": 0, "done": 1}
    assert [job["state"] for job in cortex("queue", "list", "--state", "done", "--json").json["jobs"]] == ["done"]
    assert cortex("queue", "list", "--state", "lost").code == 2


def test_a_retried_job_is_done_by_whoever_works_on_the_queue(cortex: Cortex, folder: Path) -> None:
    assert cortex("queue", "retry").out == "1 job due again\n"
    assert "1 pending" in cortex("queue").out
    worked = cortex("queue", "work")
    assert (worked.code, "1 fact added" in worked.out) == (0, True)
    assert cortex("queue", "work").out.startswith("Nothing to do")
    assert cortex("index", folder).code == 0
    assert cortex("queue").out == "2 done\n"


def test_a_job_that_is_dropped_is_no_longer_complained_of(cortex: Cortex, folder: Path) -> None:
    assert cortex("queue", "drop").code == 2
    assert cortex("queue", "drop", "doc:0.md").out == "0 jobs dropped\n"
    assert cortex("queue", "drop", "--dead").out == "1 job dropped\n"
    assert cortex("index", folder).code == 0
    (folder / "1.md").write_text("# Gear 1\n\nThe gateway must always wait for the queue.\n", "utf-8")
    assert cortex("index", folder).code == 0
    assert cortex("queue").out == "2 done\n", "its text changed: it is queued again"


def test_a_queue_without_jobs_and_a_brain_that_is_not_there(cortex: Cortex, tmp_path: Path) -> None:
    missing = nowhere(tmp_path / "brain.db")
    assert cortex("queue").code == 3
    open_new(missing).close()
    assert cortex("queue").out == "The queue is empty.\n"
    assert cortex("queue", "--source", "nowhere").code == 2


@pytest.mark.parametrize("verb", ["retry", "drop"])
def test_a_job_of_no_record_is_a_usage_error_that_names_it(verb: str, cortex: Cortex, folder: Path) -> None:
    assert folder.is_dir()
    done = cortex("queue", verb, DEAD, "nope")
    assert done.code == 2
    assert "nothing here is called 'nope'" in done.complaint
    assert cortex("queue", "--json").json["counts"]["dead"] == 1, "all or nothing"


def test_status_tells_depth_age_and_throughput(cortex: Cortex, folder: Path) -> None:
    assert folder.is_dir()
    cortex("queue", "retry")
    told = cortex("status").out
    assert "pending 1" in told
    assert "1 to do, the oldest for" in told
    assert "1.0/s when last at work" in " ".join(told.split())
    (source,) = cortex("status", "--json").json["sources"]
    assert source["backlog"]["waiting"] == 1
    assert source["backlog"]["oldest"].startswith("2026-09-01")


def test_two_commands_that_index_one_project_at_once_both_finish(tmp_path: Path, folder: Path) -> None:
    for number in range(2, 60):
        (folder / f"{number}.md").write_text(f"# Gear {number}\n\nWe decided to keep {number} of them.\n", "utf-8")
    command = [program(), "--db", argument(place(tmp_path / "new.db")), "index", str(folder), "--workers", "2"]
    both = [
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=Path.cwd())
        for _ in range(2)
    ]
    said = [each.communicate(timeout=180) for each in both]
    assert [each.returncode for each in both] == [0, 0], said
    with open_new(tmp_path / "new.db") as brain:
        counted = "select count(*), count(distinct handle), (select count(*) from facts_queue where state = 'done')"
        assert brain.db.execute(f"{counted} from facts").fetchone() == (60, 60, 60)


def test_workers_are_one_or_more(cortex: Cortex, folder: Path) -> None:
    assert cortex("index", folder, "--workers", "0").code == 2


def test_who_is_gone_is_known_on_its_own_machine_only() -> None:
    ended = subprocess.Popen(["true"])
    ended.wait()
    here = socket.gethostname()
    assert alive(f"{here}:{os.getpid()}")
    assert alive(crew_here().owner)
    assert not alive(f"{here}:{ended.pid}")
    assert alive(f"another-machine:{ended.pid}")


def test_a_process_that_is_no_more_is_not_at_it(cortex: Cortex, folder: Path, brain: Path) -> None:
    assert folder.is_dir()
    gone = subprocess.Popen(["true"])
    gone.wait()
    for pid, told in ((os.getpid(), "is at it"), (gone.pid, "was at it and is no more")):
        with open_new(brain) as held, held.transaction() as db:
            owner = f"{socket.gethostname()}:{pid}"
            held_by = "update facts_queue set state = 'leased', lease_owner = ?, lease_until = '2999-01-01T00:00:00Z'"
            db.execute(held_by, (owner,))
        listed = " ".join(cortex("queue", "list", "--state", "leased").out.split())
        assert f"{owner} {told}" in listed
