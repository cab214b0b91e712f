"""Both engines side by side: the same folders indexed, the same questions asked, what differs, and how long it took.

    python bench/both_engines.py FOLDER [FOLDER …] [--questions FILE …] [--server postgresql://127.0.0.1] [--show 3]

A FOLDER is a repository or a GitHub export; its questions are `questions.jsonl` in it, those of its name in
bench/questions, and those of the FILEs, which every folder is asked. On the server a database is made for each folder
and dropped. The ten best rows of a search are compared by their names and in order, rows of equal score in any; an
answer by its text. Engines take turns, question by question; times are of the second asking.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any, Final, NamedTuple
from urllib.parse import urlsplit

import psycopg
from data import rows
from folders import QUESTIONS

from cortex.composer.pipeline import ask
from cortex.composer.search import search
from cortex.evals.scoring import percentile
from cortex.llm.encoder import find_encoder
from cortex.substrate.address import located
from cortex.substrate.brain import Brain, open_brain
from cortex.substrate.model import Hit, Scope

NEAR: Final = 1e-6
ENGINES: Final = ("SQLite", "PostgreSQL")


class Asked(NamedTuple):
    """What came of a question on one engine."""

    hits: list[Hit]
    answer: str
    searched_ms: float
    answered_ms: float


@contextmanager
def database(server: str, name: str) -> Iterator[str]:
    """The address of a new database, which is dropped afterwards."""
    with psycopg.connect(server, dbname="postgres", autocommit=True) as db:
        db.execute(f'drop database if exists "{name}" with (force)')
        db.execute(f'create database "{name}"')
    try:
        yield urlsplit(server)._replace(path=f"/{name}").geturl()
    finally:
        with psycopg.connect(server, dbname="postgres", autocommit=True) as db:
            db.execute(f'drop database if exists "{name}" with (force)')
            db.execute(f'drop role if exists "cortex_reader_{name}"')


def indexed_s(folder: Path, address: str) -> float:
    """How many seconds it took to index *folder* into the brain at *address*."""
    started = perf_counter()
    command = [sys.executable, "-m", "cortex", "index", str(folder), "-q"]
    subprocess.run(command, env=os.environ | {"CORTEX_DB": address}, check=True, stdout=subprocess.DEVNULL)
    return perf_counter() - started


def opened(address: str, cache: Path) -> Brain:
    """A reader of the brain at *address*, with the encoder where that is installed."""
    return open_brain(located(address, cache), read_only=True).encoding(lambda: find_encoder(cache))


def asked_of(brain: Brain, question: str) -> Asked:
    """Search and answer once."""
    started = perf_counter()
    hits = search(brain, question, scope=Scope())
    between = perf_counter()
    answer = ask(brain, question, scope=Scope())
    return Asked(hits, answer.answer, (between - started) * 1000, (perf_counter() - between) * 1000)


def verdict(one: Sequence[Hit], other: Sequence[Hit]) -> str:
    """How the ten best of two engines compare: 'same', 'ties' or 'differ'."""
    if [hit.ref for hit in one] == [hit.ref for hit in other]:
        return "same"
    apart = len(one) != len(other) or any(abs(a.score - b.score) > NEAR for a, b in zip(one, other, strict=True))
    return "differ" if apart else "ties"


def questions_for(folder: Path, files: Sequence[Path]) -> list[str]:
    """The questions about *folder* and those of *files*, each once."""
    own = [folder / "questions.jsonl", *QUESTIONS.rglob(f"{folder.name}.jsonl"), *files]
    asked: dict[str, Any] = {
        row["question"]: None for path in own for row in rows(path.parent, path.stem) if "question" in row
    }
    return [*asked]


def compared(folder: Path, files: Sequence[Path], server: str, show: int) -> Iterator[str]:
    """The rows of the table for *folder*."""
    questions = questions_for(folder, files)
    with TemporaryDirectory() as scratch, database(server, f"cortex_bench_{os.getpid()}") as address:
        addresses = (str(Path(scratch) / "brain.db"), address)
        built = [indexed_s(folder, one) for one in addresses]
        tops, answers = Counter[str](), Counter[bool]()
        took: tuple[list[Asked], list[Asked]] = [], []
        with opened(addresses[0], Path(scratch)) as sqlite, opened(addresses[1], Path(scratch)) as postgres:
            for question in questions:
                for brain, kept in zip((sqlite, postgres), took, strict=True):
                    asked_of(brain, question)
                    kept.append(asked_of(brain, question))
                one, other = took[0][-1], took[1][-1]
                tops[verdict(one.hits, other.hits)] += 1
                answers[one.answer == other.answer] += 1
                if (verdict(one.hits, other.hits) == "differ" or one.answer != other.answer) and show > 0:
                    show -= 1
                    print(
                        f"{question!r}\n  {[h.ref for h in one.hits]}\n  {[h.ref for h in other.hits]}", file=sys.stderr
                    )
                    print(f"  {one.answer[:300]!r}\n  {other.answer[:300]!r}", file=sys.stderr)
    same = f"{tops['same']} + {tops['ties']} of {len(questions)} | {answers[True]}"
    for engine, seconds, kept in zip(ENGINES, built, took, strict=True):
        figures = [
            percentile([getattr(one, f"{what}_ms") for one in kept], share)
            for what in ("searched", "answered")
            for share in (0.5, 0.95)
        ]
        yield (
            f"| {folder.name} | {engine} | {same} | {seconds:.1f} | " + " | ".join(f"{ms:.1f}" for ms in figures) + " |"
        )


def main() -> None:
    """Compare, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", type=Path, nargs="+")
    parser.add_argument("--questions", type=Path, nargs="*", default=[])
    parser.add_argument("--server", default="postgresql://127.0.0.1")
    parser.add_argument("--show", type=int, default=3, help="differences to print for a folder")
    options = parser.parse_args()
    try:
        psycopg.connect(options.server, dbname="postgres", connect_timeout=2).close()
    except psycopg.OperationalError as error:
        print(f"left out, as no PostgreSQL server answers at {options.server}: {' '.join(str(error).split())}")
        return
    print(
        "| folder | engine | top-10 same + ties | same answers | index, s | search p50, ms | p95 | ask p50, ms | p95 |"
    )
    print("|---|---|---|---:|---:|---:|---:|---:|---:|")
    for folder in options.folders:
        for line in compared(folder.resolve(), options.questions, options.server, options.show):
            print(line, flush=True)


if __name__ == "__main__":
    main()
