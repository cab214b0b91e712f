"""How long an answer takes in process: on a project's brain, on 100,000 records, and ten at once beside an index run.

    python bench/asking.py DATA_FOLDER [DATA_FOLDER …] [--records 100000] [--write]

Each DATA_FOLDER holds a GitHub export, the first one `questions.jsonl` too. The large brain holds all of the folders as
they are, then copies of them with one word in ten left out or put for another, a source a copy, until there are enough
records. Every question is asked once before it is timed, three times after, over all sources. In turn with the
answers, the question's words joined by OR in BM25's order, six passages of them, are timed on the same brain: machines
differ, and one machine from hour to hour; how many times as long an answer takes does so less.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from datetime import UTC, datetime
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from data import rows
from folders import asked

from cortex.composer.pipeline import ask
from cortex.evals.scoring import percentile
from cortex.indexers.feeds import export_feeds
from cortex.indexers.run import index
from cortex.llm.encoder import find_encoder
from cortex.substrate.brain import Brain, open_brain
from cortex.substrate.model import Scope
from cortex.substrate.search import query_terms

RESULTS: Final = Path(__file__).parent / "results" / "asking.md"
TEXTS: Final = ("body", "title", "subject")
ASKERS: Final = 10
SECONDS: Final = 20.0
CHANGED: Final = 0.1


def opened(path: Path, *, read_only: bool = False) -> Brain:
    """The brain at *path* with the encoder, where the extra `semantic` is installed."""
    return open_brain(path, read_only=read_only).encoding(lambda: find_encoder(path.parent))


def put(brain: Brain, folder: Path, source: str) -> None:
    """Index the export in *folder* as *source*."""
    index(brain, export_feeds(folder, source), source=source, now=datetime.now(UTC))


def copied(folder: Path, target: Path, chance: random.Random) -> Path:
    """A copy of the export in *folder* with other words."""
    shutil.copytree(folder, target)
    for name in ("issues", "pulls", "comments", "commits"):
        known = [*rows(folder, name)]
        words = [word for row in known for word in str(row.get("body") or "").split()[:20]] or ["word"]
        with (target / f"{name}.jsonl").open("w", encoding="utf-8") as lines:
            for row in known:
                changed_row = row | {key: changed(row[key], words, chance) for key in TEXTS if row.get(key)}
                lines.write(json.dumps(changed_row) + "\n")
    return target


def changed(text: str, words: Sequence[str], chance: random.Random) -> str:
    """*text* with one word in ten left out or put for another, its lines kept."""

    def other(word: str) -> str:
        dice = chance.random()
        return word if dice > CHANGED else chance.choice(words) if dice > CHANGED / 2 else ""

    return "\n".join(" ".join(map(other, line.split(" "))) for line in text.split("\n"))


def count(brain: Brain) -> int:
    """How many records a brain holds."""
    (found,) = brain.db.execute("select count(*) from records").fetchone()
    return int(found)


def grow(path: Path, folders: Sequence[Path], records: int, scratch: Path) -> int:
    """Make the brain at *path* of the folders and their copies; how many records it holds."""
    chance = random.Random(0)  # noqa: S311  no secret
    with opened(path) as brain:
        for folder in folders:
            put(brain, folder, folder.name)
        while count(brain) < records:
            for folder in folders:
                name = f"{folder.name}-{chance.randrange(10**9)}"
                put(brain, copied(folder, scratch / name, chance), name)
        brain.db.execute("analyze")
        return count(brain)


PLAIN: Final = """
select passages.body from records_fts join passages on passages.id = records_fts.rowid
where records_fts match ? order by bm25(records_fts, 2.0, 1.0, 0.4) limit 6
"""


def plain(brain: Brain, question: str) -> None:
    """What is asked of FTS5 by whoever has nothing else: any of the question's words, in BM25's order."""
    words = query_terms(question)
    brain.db.execute(PLAIN, (" OR ".join(f'"{word}"' for word in words),)).fetchall()


def timed(path: Path, questions: Sequence[str], repeats: int = 3) -> tuple[list[float], list[float]]:
    """Milliseconds of each answer and of plain full text beside it, each question asked once before."""
    took: tuple[list[float], list[float]] = ([], [])
    with opened(path, read_only=True) as brain:
        for repeat in range(repeats + 1):
            for question in questions:
                started = time.perf_counter()
                ask(brain, question, scope=Scope())
                answered = time.perf_counter()
                plain(brain, question)
                if repeat:
                    took[0].append((answered - started) * 1000)
                    took[1].append((time.perf_counter() - answered) * 1000)
    return took


def keep_asking(path: Path, questions: Sequence[str], seed: int, seconds: float) -> list[float]:
    """Milliseconds of each answer one asker gets in *seconds*, the first left out."""
    chance, took = random.Random(seed), []  # noqa: S311  no secret
    with opened(path, read_only=True) as brain:
        until = time.perf_counter() + seconds
        while time.perf_counter() < until:
            started = time.perf_counter()
            ask(brain, chance.choice(questions), scope=Scope())
            took.append((time.perf_counter() - started) * 1000)
    return took[1:]


def keep_indexing(path: Path, folder: Path, seconds: float) -> int:
    """Index *folder* as one new source after another for *seconds*; how many were finished."""
    finished, until = 0, time.perf_counter() + seconds
    with opened(path) as brain:
        while time.perf_counter() < until:
            put(brain, folder, f"beside-{finished}")
            finished += 1
    return finished


def beside_an_index(path: Path, folder: Path, questions: Sequence[str]) -> tuple[list[float], int]:
    """Milliseconds of every answer to ten askers, each a process, while another indexes; and how many runs it ended."""
    with ProcessPoolExecutor(ASKERS + 1, mp_context=get_context("spawn")) as pool:
        writer = pool.submit(keep_indexing, path, folder, SECONDS)
        askers = [pool.submit(keep_asking, path, questions, seed, SECONDS) for seed in range(ASKERS)]
        return [ms for one in askers for ms in one.result()], writer.result()


def line(name: str, records: int, took: Sequence[float], load: float, beside: Sequence[float] = ()) -> str:
    """A row of the table."""
    p50, p95 = (percentile(took, share) or 0.0 for share in (0.5, 0.95))
    base = percentile(beside, 0.5) if beside else None
    ratio = f"{base:.1f} | {p50 / base:.1f}" if base else " | "
    return f"| {name} | {records:,} | {len(took)} | {p50:.0f} | {p95:.0f} | {max(took):.0f} | {ratio} | {load:.1f} |"


def main() -> None:
    """Measure, print, and keep the table if asked to."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", type=Path, nargs="+")
    parser.add_argument("--records", type=int, default=100_000)
    parser.add_argument("--write", action="store_true", help=f"keep the table in {RESULTS.name}")
    options = parser.parse_args()
    questions = [row["question"] for row in asked(options.folders[0])]
    told = []
    with TemporaryDirectory() as name:
        scratch = Path(name)
        small, large = scratch / "small.db", scratch / "large.db"
        with opened(small) as brain:
            put(brain, options.folders[0], options.folders[0].name)
            few = count(brain)
        load = os.getloadavg()[0]
        took, beside = timed(small, questions)
        told.append(line(options.folders[0].name, few, took, load, beside))
        print(told[-1], flush=True)
        many = grow(large, options.folders, options.records, scratch)
        load = os.getloadavg()[0]
        took, beside = timed(large, questions)
        told.append(line("all folders and copies", many, took, load, beside))
        print(told[-1], flush=True)
        load = os.getloadavg()[0]
        took, runs = beside_an_index(small, options.folders[-1], questions)
        told.append(
            line(f"{options.folders[0].name}, ten askers beside a running index (runs ended: {runs})", few, took, load)
        )
        print(told[-1], flush=True)
    report = "\n".join(
        [
            "# How long an answer takes in process",
            "",
            "`python bench/asking.py FOLDER … --write`; milliseconds. The load is that of the machine as a row began",
            f"(of {os.cpu_count()} cores): whatever else it did then is in the figures.",
            "",
            "Plain OR is six passages of the question's words in BM25's order, timed in turn with the answers.",
            "",
            "| brain | records | answers | p50 | p95 | slowest | plain OR, p50 | times that | load |",
            "|---|---:|---:|---:|---:|---:|---:|---:|---:|",
            *told,
            "",
        ]
    )
    if options.write:
        RESULTS.write_text(report, "utf-8")


if __name__ == "__main__":
    main()
