"""What indexing Markdown costs, beside plain FTS5: python bench/indexing.py [--files 2000] [--folder DOCS] [--write].

Plain FTS5 is one table with a row a file, Porter stems and unicode folding, and knows nothing of facts. Cortex cuts the
same files into sections and passages, takes facts from them, and can quote and cite what it finds. Each runs in a
process of its own, three times, with as many workers as `cortex index` starts here; the fastest counts. The files are
made by a seeded generator, or are copies of those in DOCS, each copy with a heading of its own.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import random
import resource
import sqlite3
import subprocess
import sys
from datetime import UTC, datetime
from multiprocessing import forkserver
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any, Final

RESULTS: Final = Path(__file__).parent / "results" / "indexing.md"
ROUNDS: Final = 3

NOUNS: Final = (
    "queue lease worker brain packet gateway runner index cache session token schema record source cursor".split()
)
VERBS: Final = "reads writes keeps drops retries merges archives leases counts compares stores returns".split()
SENTENCES: Final = (
    "The {a} {v} each {b} before the {c} is closed.",
    "A {a} must never wait for the {b}, because the {c} may be held for {n} seconds.",
    "By default the {a} {v} at most {n} rows; set `{a}_{b}_limit` to change it.",
    "See #{n} for why the {b} no longer {v} the {c}.",
    "If the {a} fails, the {b} {v} it again after {n} minutes.",
    "We decided to keep the {a} in the {b} instead of the {c}.",
    "Call `open{A}(path, {b}={n})`, which {v} the {c}.",
    "In {p}/{a}_{b}.py the {c} comes first.",
    "Most people look at the {a} and the {b} together.",
    "The {a} came with the second {b}, and the {c} soon after it.",
    "{A} and {b} share one {c}.",
    "This page is about the {a} of the {b}.",
    "There is more on the {a} in the chapter on the {b}.",
    "Where the {a} {v} the {b}, the {c} is what people see.",
    "Open the {a} page, then look for the {b} in the list on the left.",
    "In the picture below the {a} stands to the left of the {b}.",
    "A word on names: the {a} had another one until the {b} came.",
)


def write_files(root: Path, count: int, *, seed: int = 0) -> None:
    """*count* documents of 3 to 12 sections with prose, lists, tables and code."""
    chance = random.Random(seed)  # noqa: S311  no secret
    for number in range(count):
        folder = root / chance.choice(NOUNS) / chance.choice(NOUNS)
        folder.mkdir(parents=True, exist_ok=True)
        sections = [f"# {_title(chance)} {number}\n\n{_paragraph(chance)}"]
        sections += [f"## {_title(chance)}\n\n{_section(chance)}" for _ in range(chance.randint(2, 11))]
        (folder / f"{number}.md").write_text("\n\n".join(sections) + "\n", "utf-8")


def _title(chance: random.Random) -> str:
    return f"The {chance.choice(NOUNS)} and its {chance.choice(NOUNS)}"


def _sentence(chance: random.Random) -> str:
    a, b, c = chance.sample(NOUNS, 3)
    values: dict[str, Any] = {
        "a": a,
        "A": a.title(),
        "b": b,
        "c": c,
        "v": chance.choice(VERBS),
        "n": chance.randint(2, 900),
    }
    return chance.choice(SENTENCES).format(p=f"src/{chance.choice(NOUNS)}", **values)


def _paragraph(chance: random.Random) -> str:
    return " ".join(_sentence(chance) for _ in range(chance.randint(2, 7)))


def _section(chance: random.Random) -> str:
    parts = [_paragraph(chance)]
    if chance.random() < 0.4:
        parts.append("\n".join(f"- {_sentence(chance)}" for _ in range(chance.randint(2, 6))))
    if chance.random() < 0.2:
        rows = [f"| {a} | {chance.randint(1, 99)} |" for a in chance.sample(NOUNS, 4)]
        parts.append("\n".join(["| name | value |", "|---|---|", *rows]))
    if chance.random() < 0.3:
        code = f"with open_brain(path) as brain:\n    brain.{chance.choice(VERBS)}({chance.choice(NOUNS)!r})"
        parts.append(f"```python\n{code}\n```")
    return "\n\n".join(parts)


def copy_files(root: Path, folder: Path, count: int) -> None:
    """*count* copies of the Markdown files below *folder*, in turn."""
    originals = [path.read_text("utf-8", "replace") for path in sorted(folder.rglob("*.md"))]
    for number in range(count):
        (root / f"{number}.md").write_text(f"# Copy {number}\n\n{originals[number % len(originals)]}", "utf-8")


def index_with_cortex(root: Path, path: Path) -> dict[str, int]:
    from cortex.indexers.feeds import project_feeds  # noqa: PLC0415  each process pays for its own imports only
    from cortex.indexers.run import index  # noqa: PLC0415
    from cortex.substrate.brain import open_brain  # noqa: PLC0415
    from cortex.surfaces.working import crew_here  # noqa: PLC0415

    with open_brain(path) as brain:
        index(brain, project_feeds(root, "bench"), source="bench", now=datetime.now(UTC), crew=crew_here())
        counted = "select (select count(*) from passages), (select count(*) from facts)"
        passages, facts = brain.db.execute(counted).fetchone()
    return {"rows": passages, "facts": facts}


def index_with_fts5(root: Path, path: Path) -> dict[str, int]:
    db = sqlite3.connect(path)
    db.execute("pragma journal_mode = wal")
    db.execute("create virtual table docs using fts5 (path, body, tokenize = 'porter unicode61')")
    files = ((str(file.relative_to(root)), file.read_text("utf-8")) for file in sorted(root.rglob("*.md")))
    with db:
        rows = db.executemany("insert into docs values (?, ?)", files).rowcount
    db.close()
    return {"rows": rows, "facts": 0}


_COMPARED: Final = {"seconds": "time", "processor": "processor time"}
ENGINES: Final = {"Cortex": index_with_cortex, "plain FTS5": index_with_fts5}


def alone(engine: str, root: Path, path: Path) -> None:
    """Index once and print what it took; run in a process of its own."""
    started = perf_counter()
    found = ENGINES[engine](root, path)
    seconds = perf_counter() - started
    forkserver._forkserver._stop()  # type: ignore[attr-defined]  # its workers count once they were waited for
    used = resource.getrusage(resource.RUSAGE_SELF)
    peak = used.ru_maxrss * (1 if sys.platform == "darwin" else 1024)
    workers = resource.getrusage(resource.RUSAGE_CHILDREN)
    processor = used.ru_utime + used.ru_stime + workers.ru_utime + workers.ru_stime
    print(json.dumps(found | {"seconds": seconds, "processor": processor, "peak": peak, "size": path.stat().st_size}))


def measured(engine: str, root: Path, home: Path) -> dict[str, float]:
    """The fastest of several runs, each into a new file."""
    runs: list[dict[str, float]] = []
    for number in range(ROUNDS):
        path = home / f"{engine.replace(' ', '')}-{number}.db"
        command = [sys.executable, __file__, "--alone", engine, "--folder", str(root), "--path", str(path)]
        done = subprocess.run(command, check=True, capture_output=True, text=True)
        runs.append(json.loads(done.stdout))
    return min(runs, key=lambda run: run["seconds"])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--files", type=int, default=2000)
    parser.add_argument("--folder", type=Path, help="replicate the Markdown files below it instead of making some")
    parser.add_argument("--write", action="store_true", help=f"keep the table in {RESULTS.name}")
    parser.add_argument("--alone", choices=ENGINES, help=argparse.SUPPRESS)
    parser.add_argument("--path", type=Path, help=argparse.SUPPRESS)
    arguments, _ = parser.parse_known_args()  # make bench gives every script its data folder
    if arguments.alone:
        alone(arguments.alone, arguments.folder, arguments.path)
        return
    with TemporaryDirectory() as home:
        root = Path(home) / "docs"
        root.mkdir()
        if arguments.folder:
            copy_files(root, arguments.folder, arguments.files)
        else:
            write_files(root, arguments.files)
        table = _table(root, Path(home))
    print(table)
    if arguments.write:
        RESULTS.write_text(f"# Indexing Markdown\n\n{table}\n", "utf-8")


def _table(root: Path, home: Path) -> str:
    files = [file.stat().st_size for file in root.rglob("*.md")]
    versions = (
        f"Python {platform.python_version()}, SQLite {sqlite3.sqlite_version}, {os.cpu_count()} × {platform.machine()}"
    )
    lines = [
        f"{len(files):,} Markdown files, {sum(files) / 1e6:.1f} MB; the fastest of {ROUNDS} runs each. {versions}.",
        "",
        "| | time | processor time | peak memory | size on disk | rows searched | facts |",
        "|---|---:|---:|---:|---:|---:|---:|",
    ]
    runs = {engine: measured(engine, root, home) for engine in ENGINES}
    for engine, run in runs.items():
        sizes = f"{run['peak'] / 1e6:.0f} MB | {run['size'] / 1e6:.1f} MB"
        times = f"{run['seconds']:.2f} s | {run['processor']:.2f} s"
        lines.append(f"| {engine} | {times} | {sizes} | {run['rows']:,} | {run['facts']:,} |")
    ours, plain = runs.values()
    more = [f"{ours[name] / plain[name]:.0f} times the {what}" for name, what in _COMPARED.items()]
    return "\n".join([*lines, "", f"Cortex takes {' and '.join(more)} of plain FTS5."])


if __name__ == "__main__":
    main()
