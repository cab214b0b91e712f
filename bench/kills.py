"""Kill an indexer 100 times over one run and compare: python bench/kills.py DATA [--kills 100] [--seed 0] [--write].

`cortex index` is started on an export again and again and killed with SIGKILL: each time when a hundredth more of the
work is done than the last time, at a random instant within it, so that the kills are spread over reading, storing and
distilling. Then it may finish. The brain has to hold what one does that nothing disturbed: the same rows in every
table but for ids, times of work and leases, sound indexes, and not a job done twice.
"""

from __future__ import annotations

import argparse
import platform
import random
import signal
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

ROOT: Final = Path(__file__).parent.parent
RESULTS: Final = Path(__file__).parent / "results" / "kills.md"
LONGEST_DELAY_S: Final = 0.25
POLL_S: Final = 0.01

sys.path.insert(0, str(ROOT))
from cortex.substrate.brain import open_brain  # noqa: E402
from cortex.substrate.verify import verify  # noqa: E402
from tests.brains import content, indexes_agree  # noqa: E402
from tests.warm import program  # noqa: E402


@contextmanager
def indexing(path: Path, data: Path, *, workers: int) -> Iterator[subprocess.Popen[str]]:
    command = ["--db", str(path), "index", "--github-export", str(data), "--workers", str(workers), "--quiet"]
    process = subprocess.Popen(
        [program(), *command], cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    )
    try:
        yield process
    finally:
        if process.poll() is None:
            process.kill()
            process.wait()


class Progress:
    """How much of the work a brain holds, from 0 to 2: records stored, then jobs done."""

    def __init__(self, whole: Path) -> None:
        self.records, self.jobs = counted(whole)

    def of(self, path: Path) -> float:
        records, jobs = counted(path)
        return records / self.records + jobs / self.jobs


def counted(path: Path) -> tuple[int, int]:
    if not path.exists():
        return 0, 0
    db = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    try:
        asked = "select (select count(*) from records), (select count(*) from facts_queue where state = 'done')"
        row: tuple[int, int] = db.execute(asked).fetchone()
    except sqlite3.OperationalError:
        return 0, 0  # killed before it had a schema
    finally:
        db.close()
    return row


def stage(path: Path, progress: float) -> str:
    if progress < 1:
        return "while reading"
    db = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    (leased,) = db.execute("select count(*) from facts_queue where state = 'leased'").fetchone()
    db.close()
    return "while distilling" if leased else "in between"


def killed(path: Path, data: Path, progress: Progress, target: float, chance: random.Random, *, workers: int) -> str:
    """Index until *target* is reached and a moment longer; the stage it was killed in, '' where it was finished."""
    with indexing(path, data, workers=workers) as process:
        while process.poll() is None and progress.of(path) < target:
            time.sleep(POLL_S)
        time.sleep(chance.uniform(0, LONGEST_DELAY_S))
        process.send_signal(signal.SIGKILL)
        _, said = process.communicate()
    if process.returncode == 0:
        return ""
    if process.returncode != -signal.SIGKILL:
        raise SystemExit(f"exit code {process.returncode}: {said}")
    return stage(path, progress.of(path))


def finish(path: Path, data: Path, *, workers: int) -> float:
    started = time.perf_counter()
    with indexing(path, data, workers=workers) as process:
        _, said = process.communicate()
    if process.returncode:
        raise SystemExit(f"exit code {process.returncode}: {said}")
    return time.perf_counter() - started


def compared(whole: Path, other: Path) -> dict[str, tuple[int, bool]]:
    """Rows of each table, and whether they are the same."""
    with open_brain(whole) as one, open_brain(other) as two:
        ours, theirs = content(one), content(two)
        if not (indexes_agree(two) and verify(two).holds):
            raise SystemExit("the indexes of the brain that was killed do not agree with its rows")
    return {name: (len(rows), rows == theirs[name]) for name, rows in ours.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--write", action="store_true", help=f"keep the result in {RESULTS.name}")
    arguments = parser.parse_args()
    data, chance, stages, early = arguments.data.resolve(), random.Random(arguments.seed), Counter[str](), 0  # noqa: S311
    with TemporaryDirectory() as home:
        whole, path = Path(home) / "whole.db", Path(home) / "killed.db"
        undisturbed = finish(whole, data, workers=1)
        progress = Progress(whole)
        for number in range(arguments.kills):
            target = 2 * (number + chance.random()) / arguments.kills
            found = killed(path, data, progress, target, chance, workers=1 + number % 2)
            stages[found] += bool(found)
            early += not found
            print(f"{number + 1:3} {target:.3f} {found or 'finished before'}", file=sys.stderr)
        finish(path, data, workers=2)
        tables = compared(whole, path)
        db = sqlite3.connect(path)
        twice = db.execute("select count(*) from facts_queue where attempts > 1").fetchone()[0]
        archived = db.execute("select count(*) from facts_archive").fetchone()[0]
        db.close()
    text = report(arguments.kills - early, stages, tables, twice, archived, undisturbed)
    print(text)
    if arguments.write:
        RESULTS.write_text(f"# An indexer killed over and over\n\n{text}\n", "utf-8")
    sys.exit(0 if all(same for _, same in tables.values()) and not twice else 1)


def report(
    kills: int, stages: Counter[str], tables: dict[str, tuple[int, bool]], twice: int, archived: int, undisturbed: float
) -> str:
    named = ", ".join(f"{number} {name}" for name, number in stages.items() if name)
    versions = f"Python {platform.python_version()}, SQLite {sqlite3.sqlite_version}"
    lines = [
        f"`cortex index` killed with SIGKILL {kills} times over one run ({named}), every other time with two workers;",
        f"then it finished. An undisturbed run took {undisturbed:.1f} s. {versions}.",
        "",
        "| table | rows | as without a kill |",
        "|---|---:|---|",
        *(f"| {name} | {rows:,} | {'yes' if same else '**no**'} |" for name, (rows, same) in tables.items()),
        "",
        f"Jobs done twice: {twice}. Facts in the archive: {archived}. Indexes agree with their tables, excerpts with",
        "their records.",
    ]
    return "\n".join(lines)


if __name__ == "__main__":
    main()
