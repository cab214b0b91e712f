"""Ask a project what nobody should: python bench/fuzz.py [DATA] [--count 10000] [--seed 0] [--write].

DATA is a GitHub export, and the demo project where none is given: a large brain plans its searches otherwise.

Every question must be answered with citations, refused, or called empty where it has no words; nothing may be raised
and nothing written. The questions are drawn from the seed. Exits 1 with the
questions that broke something. `--write` keeps the table in bench/results/fuzz.md.
"""

from __future__ import annotations

import argparse
import platform
import sqlite3
import sys
import time
from collections import defaultdict
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple

ROOT: Final = Path(__file__).parent.parent
RESULTS: Final = Path(__file__).parent / "results" / "fuzz.md"
HEAD: Final = """# Fuzzed questions

Python {python}, SQLite {sqlite}; {project}, seed {seed}; each question was asked and searched for. Broken is an
answer without a citation or that is no JSON, a refusal that says more than the refusal, and whatever is raised but that
a question has no words. The brain's file was {file}.
"""

sys.path[:0] = [str(ROOT), str(ROOT / "bench")]
from folders import indexed  # noqa: E402

from cortex.substrate.brain import Brain, open_brain  # noqa: E402
from tests.brains import index_demo  # noqa: E402
from tests.composer.hostile import problem, questions  # noqa: E402


class Asked(NamedTuple):
    """A question, what became of it, and how long that took.

    Attributes:
        wrong: '' when nothing is, '-' when it has no words.
    """

    kind: str
    text: str
    wrong: str
    seconds: float


def fuzz(brain: Brain, count: int, seed: int) -> list[Asked]:
    """*count* questions put to *brain*, whatever they raise."""
    asked = []
    for kind, text in questions(count, seed=seed):
        started = time.perf_counter()
        try:
            wrong = problem(brain, text)
        except Exception as error:  # noqa: BLE001  that is what is looked for
            wrong = repr(error)
        asked.append(Asked(kind, text, wrong, time.perf_counter() - started))
    return asked


def table(asked: list[Asked]) -> list[str]:
    """By kind: how many, how many without words, what broke, and the time of asking and searching together."""
    kinds: defaultdict[str, list[Asked]] = defaultdict(list)
    for one in asked:
        kinds[one.kind].append(one)
    lines = [
        "| questions | asked | without words | broken | median ms | slowest ms |",
        "|---|---:|---:|---:|---:|---:|",
    ]
    for kind, those in [*sorted(kinds.items()), ("**all**", asked)]:
        times = sorted(one.seconds * 1000 for one in those)
        empty, broken = sum(one.wrong == "-" for one in those), sum(one.wrong not in ("", "-") for one in those)
        lines.append(
            f"| {kind} | {len(those):,} | {empty:,} | {broken:,} | {times[len(times) // 2]:.1f} | {times[-1]:,.0f} |"
        )
    return lines


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("data", nargs="?", type=Path, help="a folder with a GitHub export; the demo project without")
    parser.add_argument("--count", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args()
    with TemporaryDirectory() as folder:
        path = Path(folder) / "brain.db"
        with indexed(given.data, path) if given.data else open_brain(path) as brain:
            if not given.data:
                index_demo(brain)
        before = sha256(path.read_bytes()).hexdigest()
        with open_brain(path, read_only=True) as brain:
            asked = fuzz(brain, given.count, given.seed)
        unchanged = sha256(path.read_bytes()).hexdigest() == before
    broken = [one for one in asked if one.wrong not in ("", "-")]
    text = "\n".join([HEAD.format(
        python=platform.python_version(), sqlite=sqlite3.sqlite_version, seed=given.seed,
        project=given.data.name if given.data else "the demo project",
        file="the same to the byte afterwards" if unchanged else "CHANGED",
    ), *table(asked), ""])  # fmt: skip
    print(text)
    for one in broken[:20]:
        print(f"{one.kind}: {one.wrong}: {one.text[:200]!r}")
    if given.write:
        RESULTS.write_text(text, "utf-8")
    return 1 if broken or not unchanged else 0


if __name__ == "__main__":
    sys.exit(main())
