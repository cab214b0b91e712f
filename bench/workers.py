"""What more workers are worth: python bench/workers.py DATA [--workers 1 2 4] [--rounds 3] [--write].

An export is indexed into a new brain by one, two and four workers, each run in a process of its own; the fastest of
each counts. Beside the time on the clock stands the processor time of the process that reads, writes and waits for
nobody, which bounds what workers can gain, and that of its workers: on a machine that has other work to do, the clock
tells less than they do.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import resource
import sqlite3
import subprocess
import sys
import time
from datetime import UTC, datetime
from multiprocessing import forkserver
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from cortex.indexers.distilling import Crew
from cortex.indexers.feeds import export_feeds
from cortex.indexers.run import index
from cortex.substrate.brain import open_brain

RESULTS: Final = Path(__file__).parent / "results" / "workers.md"


def clock() -> datetime:
    return datetime.now(UTC)


def alone(data: Path, path: Path, workers: int) -> None:
    """Index once and print what it took; run in a process of its own."""
    stages: dict[str, float] = {}
    started = last = time.perf_counter()

    def note(stage: str, _done: int, _total: int | None) -> None:
        nonlocal last
        now = time.perf_counter()
        name = stage.partition(" ")[0]
        stages[name], last = stages.get(name, 0.0) + now - last, now

    with open_brain(path) as brain:
        crew = Crew(workers=workers, clock=clock, sleep=time.sleep)
        index(brain, export_feeds(data, "bench"), source="bench", crew=crew, progress=note, now=clock())
        jobs, facts = brain.db.execute(
            "select (select count(*) from facts_queue where state = 'done'), (select count(*) from facts)"
        ).fetchone()
    seconds = time.perf_counter() - started
    forkserver._forkserver._stop()  # type: ignore[attr-defined]  # its workers count once they were waited for
    own, others = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    processor = {"own": own.ru_utime + own.ru_stime, "others": others.ru_utime + others.ru_stime}
    print(json.dumps({"seconds": seconds, "jobs": jobs, "facts": facts, **processor, **stages}))


def fastest(data: Path, workers: int, rounds: int) -> dict[str, float]:
    runs: list[dict[str, float]] = []
    for _ in range(rounds):
        with TemporaryDirectory() as home:
            command = [sys.executable, __file__, str(data), "--alone", f"{home}/brain.db", "--workers", str(workers)]
            done = subprocess.run(command, check=True, capture_output=True, text=True)
            runs.append(json.loads(done.stdout))
    return min(runs, key=lambda run: run["seconds"])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2, 4])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--write", action="store_true", help=f"keep the table in {RESULTS.name}")
    parser.add_argument("--alone", type=Path, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.alone:
        alone(arguments.data, arguments.alone, arguments.workers[0])
        return
    load = os.getloadavg()[0]
    runs = {workers: fastest(arguments.data, workers, arguments.rounds) for workers in arguments.workers}
    table = report(runs, arguments.rounds, load)
    print(table)
    if arguments.write:
        RESULTS.write_text(f"# Workers\n\n{table}\n", "utf-8")


def report(runs: dict[int, dict[str, float]], rounds: int, load: float) -> str:
    one = next(iter(runs.values()))
    versions = f"Python {platform.python_version()}, SQLite {sqlite3.sqlite_version}"
    machine = f"{os.cpu_count()} × {platform.machine()}, load {load:.1f} before the first"
    lines = [
        f"{one['jobs']:,.0f} documents and comments beside other records, {one['facts']:,.0f} facts; the fastest of",
        f"{rounds} runs each. {versions}, {machine}.",
        "",
        "| workers | time | times one | reading | distilling | times one | processor: own | of workers |",
        "|---:|---:|---:|---:|---:|---:|---:|---:|",
    ]
    for workers, run in runs.items():
        gains = (one["seconds"] / run["seconds"], one["distilling"] / run["distilling"])
        parts = (f"{run['reading']:.1f} s", f"{run['distilling']:.1f} s", f"{gains[1]:.2f}")
        processor = (f"{run['own']:.1f} s", f"{run['others']:.1f} s")
        cells = (f"{workers}", f"{run['seconds']:.1f} s", f"{gains[0]:.2f}", *parts, *processor)
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


if __name__ == "__main__":
    main()
