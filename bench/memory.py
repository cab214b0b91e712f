"""What one record may cost, by its size: python bench/memory.py [DATA, which it does not need] [--write].

Records of the worst kinds we know, up to the longest body that is taken, and documents up to the longest file are each
indexed into a new brain by a process of its own: its peak of resident memory and its time on the processor.
"""

from __future__ import annotations

import argparse
import os
import platform
import resource
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time
from typing import Final, NamedTuple

from cortex.indexers.connectors import Cursor, Item
from cortex.indexers.connectors.fields import BODY_LIMIT
from cortex.indexers.feeds import Feed
from cortex.indexers.run import index
from cortex.substrate.brain import open_brain
from cortex.substrate.model import Record
from cortex.surfaces.indexing import index as index_folder

RESULTS: Final = Path(__file__).parent / "results" / "memory.md"
NOW: Final = datetime(2026, 1, 1, tzinfo=UTC)
LONGEST_FILE: Final = 4_700_000
"""Of those lines, of which a file may have 50,000 and 5 MB."""

SIZES: Final = (1_000, 10_000, 65_500, 250_000, 700_000, BODY_LIMIT, LONGEST_FILE)
MOST_MB: Final = 200
TARGETS: Final = 2_000
"""Issues that a text of the project's own references may name."""

PIECES: Final[Mapping[str, Callable[[int], str]]] = {
    "issue: references elsewhere": lambda n: f"a{n % 7}/b#{n} ",
    "pull: references here": lambda n: f"Fixes #{n}, ",
    "comment: lines": lambda n: f"- The parser must retry request {n} within {n} seconds: the queue drops it.\n",
    "doc: one line": lambda n: f"We decided that service {n} keeps its lease for {n} seconds. ",
    "doc: items": lambda n: (
        f"- Item {n} must retry request {n} within {n} seconds: the queue drops it because of load.\n"
    ),
    "doc: sections": lambda n: (
        f"## Part {n}\n\n" + f"We decided that port {n} is open, since {n} needs it. " * 10 + "\n\n"
    ),
    "issue: people and paths": lambda n: f"@user{n} src/part{n}/file{n}.py ",
    "commit: what it reverts": lambda n: f"This reverts commit {n:040x}.\n",
    "issue: blanks": lambda n: " " * (n % 40) + "x",
    "issue: no word ends": lambda n: f"{n}",
}


class Cost(NamedTuple):
    """Peak of resident memory in MB, and seconds of the processor."""

    peak_mb: float
    seconds: float


def body_of(kind: str, size: int) -> str:
    """A title and *size* characters of what *kind* repeats."""
    parts, length = ["See below.\n\n"], 12
    for number in count(1):
        parts.append(PIECES[kind](number))
        length += len(parts[-1])
        if length >= size:
            return "".join(parts)[:size]
    raise AssertionError


def alone(kind: str, size: int) -> None:
    """Index one record and print what it took; run in a process of its own."""
    type_ = kind.partition(":")[0]
    if type_ == "doc":
        in_a_file(kind, size)
        return
    ref = {"comment": "comment:9999#1", "commit": "commit:0123456789ab"}.get(type_, f"{type_}:9999")
    state = {"pull": "merged", "issue": "open"}.get(type_, "")
    one = Record(
        source="bench", type=type_, ref=ref, title="See below.", body=body_of(kind, size), state=state,
        created_at=NOW, merged_at=NOW if state == "merged" else None,
    )  # fmt: skip
    items: list[Item] = [
        Record(source="bench", type="issue", ref=f"issue:{n}", title=f"Crash {n}", body=f"Crash {n}", created_at=NOW)
        for n in range(1, TARGETS + 1)
        if type_ == "pull"
    ]

    def read(_: str | None) -> Iterator[Item]:
        yield from items
        yield one
        yield Cursor(value="", complete=True)

    started = process_time()
    with TemporaryDirectory() as folder, open_brain(Path(folder) / "brain.db") as brain:
        index(brain, [Feed("github", read)], source="bench", now=NOW)
    print(peak_mb(), process_time() - started)


def in_a_file(kind: str, size: int) -> None:
    """The same of a document that a folder holds."""
    with TemporaryDirectory() as folder, open_brain(Path(folder) / "brain.db") as brain:
        document = Path(folder) / "project" / "docs" / "long.md"
        document.parent.mkdir(parents=True)
        document.write_text(body_of(kind, size), "utf-8")
        started = process_time()
        index_folder(brain, document.parents[1], now=NOW)
        print(peak_mb(), process_time() - started)


def peak_mb() -> float:
    """The most memory this process has had, in MB; `ru_maxrss` would count that of the process which forked it."""
    status = Path("/proc/self/status")
    if not status.is_file():
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    peak = next(line for line in status.read_text("utf-8").splitlines() if line.startswith("VmHWM"))
    return int(peak.split()[1]) / 1024


def measured(kind: str, size: int) -> Cost:
    """What a record of *kind* takes in a process of its own."""
    command = [sys.executable, __file__, "--alone", kind, "--size", str(size)]
    said = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return Cost(*map(float, said.split()))


def report(costs: Mapping[str, Mapping[int, Cost]]) -> str:
    """The table, and what the largest took."""
    kinds = [*costs]
    lines = [f"| characters | {' | '.join(kinds)} |", "|---:|" + "---:|" * len(kinds)]
    for size in SIZES:
        found = (costs[kind].get(size) for kind in kinds)
        cells = (f"{one.peak_mb:,.0f} MB, {one.seconds:.1f} s" if one else "–" for one in found)
        lines.append(f"| {size:,} | {' | '.join(cells)} |")
    most = max(one.peak_mb for of_kind in costs.values() for one in of_kind.values())
    on = f"Python {platform.python_version()}, SQLite {sqlite3.sqlite_version}, {os.cpu_count()} × {platform.machine()}"
    return (
        "# Memory of one record\n\n"
        "Peak resident memory of a process that indexes one record, or one file of documents, into a new brain, Python"
        "\nand all, and its time on the processor; beside the pull request it indexes the"
        f" {TARGETS:,} issues that it may name.\n{on}.\n\n"
        + "\n".join(lines)
        + f"\n\nThe most is {most:,.0f} MB, of {MOST_MB} that one record may take. {BODY_LIMIT:,} characters are the"
        " longest body\nthat is taken; a file has 5 MB and 50,000 lines at most.\n"
    )


def main() -> int:
    """Print the table; 1 where a record takes more than it may."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("data", nargs="?", help="not needed")
    options.add_argument("--write", action="store_true")
    options.add_argument("--alone", choices=[*PIECES], help=argparse.SUPPRESS)
    options.add_argument("--size", type=int, help=argparse.SUPPRESS)
    given = options.parse_args()
    if given.alone:
        alone(given.alone, given.size)
        return 0
    costs = {
        kind: {size: measured(kind, size) for size in SIZES if size <= BODY_LIMIT or kind.startswith("doc:")}
        for kind in PIECES
    }
    text = report(costs)
    print(text)
    if given.write:
        RESULTS.write_text(text, "utf-8")
    return int(any(one.peak_mb > MOST_MB for of_kind in costs.values() for one in of_kind.values()))


if __name__ == "__main__":
    sys.exit(main())
