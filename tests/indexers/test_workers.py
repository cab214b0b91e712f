"""However many workers there are, and whatever kills them: the same rows, and nothing locked."""

from __future__ import annotations

import random
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest

from cortex.indexers import distilling, reading
from cortex.indexers.distill.rules import Rules
from cortex.indexers.distilling import Crew
from cortex.indexers.feeds import export_feeds
from cortex.indexers.run import index
from cortex.substrate.address import argument, is_database
from cortex.substrate.brain import Brain
from cortex.substrate.verify import verify
from tests.brains import NOW, SEEDS, Rows, content, dump, indexes_agree, open_new, place
from tests.processes import runs
from tests.trees import until
from tests.warm import program

KILLS = 12

# What `cortex index` does, in small steps that take their time.
WORKER = """
import sys, time
from datetime import UTC, datetime
from pathlib import Path
from tempfile import gettempdir
from cortex.indexers import distilling, reading
from cortex.indexers.distilling import Crew
from cortex.indexers.feeds import export_feeds
from cortex.indexers.run import index
from cortex.substrate.address import located
from cortex.substrate.brain import open_brain
from cortex.surfaces.working import alive, clock, crew_here
from tests.brains import NOW
from tests.indexers.distillers import Slow

if __name__ == "__main__":
    path, folder, workers, pause = sys.argv[1:]
    reading.BATCH, reading.INLINE, distilling.WORTH_PROCESSES = 20, 1, 0
    slow = Slow(float(pause))
    crew = crew_here(int(workers))._replace(docs=slow, comments=slow)
    with open_brain(located(path, Path(gettempdir()))) as brain:
        index(brain, export_feeds(Path(folder), "o8-labs/o8"), source="o8-labs/o8", crew=crew, now=NOW)
"""


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Rows]:
    """What one process comes to that nothing disturbs."""
    with open_new(tmp_path_factory.mktemp("whole") / "brain.db") as brain:
        run(brain, Crew())
        return content(brain)


def run(brain: Brain, crew: Crew) -> None:
    index(brain, export_feeds(SEEDS / "o8", "o8-labs/o8"), source="o8-labs/o8", crew=crew, now=NOW)


def worker(path: Path, *, workers: int, pause: float, python: str = "") -> subprocess.Popen[str]:
    command = [python or program(), "-c", WORKER, argument(path), str(SEEDS / "o8"), str(workers), str(pause)]
    return subprocess.Popen(command, stderr=subprocess.PIPE, text=True, cwd=SEEDS.parent)


def held(path: Path, whole: dict[str, Rows]) -> None:
    """Hold the brain at *path* to what one process made that nothing disturbed."""
    with open_new(path) as brain:
        assert content(brain) == whole
        assert indexes_agree(brain)
        assert verify(brain).holds
        assert brain.db.execute("select count(*) from facts_archive").fetchone() == (0,)
    if not is_database(path):
        with closing(sqlite3.connect(path)) as db:
            assert db.execute("pragma integrity_check").fetchone() == ("ok",)


@pytest.mark.parametrize("workers", [3])
def test_any_number_of_workers_makes_the_same_rows_with_the_same_ids(
    tmp_path: Path, workers: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, "BATCH", 20)
    monkeypatch.setattr(reading, "INLINE", 1)
    monkeypatch.setattr(distilling, "WORTH_PROCESSES", 0)
    few = Rules(batch=8)
    brains = []
    for number in (1, workers):
        with open_new(tmp_path / f"{number}.db") as brain:
            run(brain, Crew(workers=number, docs=few, comments=few))
            assert verify(brain).holds
            brains.append(dump(brain))
    one, several = brains
    for held in brains:
        if is_database(brain.path):
            held["text_sizes"] = [row[:-1] for row in held["text_sizes"]]  # without a version, which is drawn
        else:
            assert held.pop("_sqlite_migrations"), "tells when it was made: all that may differ"
    assert one == several


def test_processes_that_index_one_brain_at_once_share_it(tmp_path: Path, whole: dict[str, Rows]) -> None:
    path = place(tmp_path / "shared.db")
    several = [worker(path, workers=1, pause=0.002) for _ in range(3)]
    for each in several:
        _, said = each.communicate(timeout=180)
        assert (each.returncode, said) == (0, "")
    held(path, whole)


def test_an_indexer_killed_at_any_instant_loses_nothing_and_repeats_nothing(
    tmp_path: Path, whole: dict[str, Rows]
) -> None:
    path, chance, kills, done = place(tmp_path / "killed.db"), random.Random(5), 0, 0  # noqa: S311  no secret
    while True:
        pause = 0.06 if kills < KILLS else 0  # so slow that it ends before the last kill on no machine
        process = worker(path, workers=1 + kills % 2, pause=pause)
        if kills < KILLS:
            time.sleep(chance.uniform(0.05, 0.9))
            process.send_signal(signal.SIGKILL)
        _, said = process.communicate(timeout=180)
        kills += process.returncode == -signal.SIGKILL
        before, done = done, finished(path)
        assert done >= before, "what was committed stays"
        if process.returncode == 0:
            break
        assert process.returncode == -signal.SIGKILL, said
    assert kills == KILLS
    held(path, whole)
    with open_new(path) as brain:
        attempts = brain.db.execute("select distinct attempts from facts_queue").fetchall()
        assert attempts == [(1,)], "no job was done twice"


def finished(path: Path) -> int:
    """Jobs done so far; none where the brain was killed before it had a schema."""
    if not path.exists():
        return 0
    with open_new(path) as brain:
        return int(brain.db.execute("select count(*) from facts_queue where state = 'done'").fetchone()[0])


def descendants(pid: int | str) -> list[str]:
    """The processes that process *pid* started, and those that they started."""
    listed = Path(f"/proc/{pid}/task/{pid}/children")
    children = listed.read_text().split() if listed.exists() else []
    return [one for child in children for one in (child, *descendants(child))]


def test_workers_end_with_the_process_that_started_them(tmp_path: Path) -> None:
    if not Path("/proc/self/task").exists():
        pytest.skip("needs /proc to see what runs")
    process = worker(place(tmp_path / "brain.db"), workers=2, pause=1, python=sys.executable)
    until(lambda: len(descendants(process.pid)) >= 4)  # two workers, what forks them, and what cleans up after them
    started = descendants(process.pid)
    process.kill()
    process.communicate(timeout=180)
    until(lambda: not any(map(runs, started)))
